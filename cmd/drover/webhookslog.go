package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// dispatchState is what was sent, or is to be, of either interface.
type dispatchState struct {
	ID        string      `json:"id"`
	Event     string      `json:"event"`
	Object    string      `json:"object,omitempty"`
	Status    string      `json:"status"`
	CreatedAt time.Time   `json:"createdAt"`
	NextAt    *time.Time  `json:"nextAt,omitempty"`
	Attempts  []sentState `json:"attempts"`
}

// sentState is a request.
type sentState struct {
	StartedAt time.Time `json:"startedAt"`
	Status    int       `json:"responseStatus,omitempty"`
	Body      string    `json:"responseBody,omitempty"`
	Error     string    `json:"error,omitempty"`
}

// UnmarshalJSON reads the names that either interface has.
func (s *sentState) UnmarshalJSON(raw []byte) error {
	type plain sentState
	in := struct {
		*plain
		ErrorMessage string `json:"errorMessage"`
	}{plain: (*plain)(s)}
	err := json.Unmarshal(raw, &in)
	s.Error = cmp.Or(s.Error, in.ErrorMessage)
	return err
}

// UnmarshalJSON reads the names that either interface has.
func (d *dispatchState) UnmarshalJSON(raw []byte) error {
	type plain dispatchState
	in := struct {
		*plain
		Type          string            `json:"type"`
		EventType     string            `json:"eventType"`
		ResourceID    string            `json:"resourceId"`
		EventData     map[string]string `json:"eventData"`
		NextAttemptAt *time.Time        `json:"nextAttemptAt"`
		Calls         []sentState       `json:"calls"`
	}{plain: (*plain)(d)}
	err := json.Unmarshal(raw, &in)
	d.Event = cmp.Or(d.Event, in.Type, in.EventType)
	d.Object = cmp.Or(d.Object, in.ResourceID, in.EventData["actorRunId"], in.EventData["actorBuildId"])
	if d.NextAt == nil {
		d.NextAt = in.NextAttemptAt
	}
	d.Attempts = append(d.Attempts, in.Calls...)
	return err
}

// text is a line for people: what it is, and what the receiver said last.
func (d dispatchState) text() string {
	parts := []string{zoned(d.CreatedAt), d.ID, d.Status, strings.TrimSpace(d.Event + " " + d.Object)}
	if n := len(d.Attempts); n > 0 {
		last := d.Attempts[n-1]
		said := last.Error
		if said == "" {
			said = fmt.Sprintf("the receiver answered with status %d", last.Status)
		}
		parts = append(parts, fmt.Sprintf("(sent %d times; %s)", n, said))
	}
	if d.NextAt != nil && d.Status == "ACTIVE" {
		parts = append(parts, "next at "+zoned(*d.NextAt))
	}
	return strings.Map(printable, strings.Join(strings.Fields(strings.Join(parts, " ")), " "))
}

type webhooksLogCmd struct {
	oneWebhook
	Failed bool `help:"Only what has failed for good."`
	Limit  int  `default:"50" help:"So many of the last, at most 1000. Default ${default}."`
}

// Validate refuses a number out of range.
func (cmd webhooksLogCmd) Validate() error {
	if cmd.Limit < 1 || cmd.Limit > 1000 {
		return fmt.Errorf("--limit must be 1 to 1000")
	}
	return nil
}

// Run prints what was sent, the oldest first.
func (cmd webhooksLogCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		all, err := cmd.dispatches(ctx, api)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, all)
		}
		for _, d := range all {
			fmt.Fprintln(c.stdout, d.text())
		}
		return nil
	})
}

func (cmd webhooksLogCmd) dispatches(ctx context.Context, api *apiClient) (all []dispatchState, err error) {
	query := url.Values{"limit": {strconv.Itoa(cmd.Limit)}}
	var first struct{ Data []dispatchState }
	var platform listed[dispatchState]
	switch {
	case isFirst(cmd.Webhook):
		if cmd.Failed {
			query.Set("status", "FAILED")
		}
		err = api.hook(ctx, "GET", cmd.Webhook, "/deliveries?"+query.Encode(), nil, &first)
	default:
		query.Set("desc", "1")
		err = api.hook(ctx, "GET", cmd.Webhook, "/dispatches?"+query.Encode(), nil, &platform)
	}
	all = []dispatchState{}
	for _, d := range append(first.Data, platform.Items...) {
		if !cmd.Failed || d.Status == "FAILED" {
			all = append([]dispatchState{d}, all...)
		}
	}
	return all, err
}

type webhooksTestCmd struct{ oneWebhook }

// Run sends a test, and says how to see what became of it.
func (cmd webhooksTestCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		var d dispatchState
		if err := api.hook(ctx, "POST", cmd.Webhook, "/test", nil, &d); err != nil {
			return err
		}
		return onItsWay(c, cmd.oneWebhook, d)
	})
}

// onItsWay says that a dispatch is.
func onItsWay(c console, of oneWebhook, d dispatchState) error {
	if of.JSON {
		return printValue(c.stdout, d)
	}
	when := "is on its way"
	if of.Data != "" {
		when = "is sent once the data is served"
	}
	fmt.Fprintf(c.stdout, "%s %s; \"drover webhooks log %s\" shows what becomes of it.\n", d.ID, when, of.Webhook)
	return nil
}

type webhooksRedeliverCmd struct {
	oneWebhook
	Dispatch string `arg:"" help:"What is to be sent, by the id that the log shows."`
}

// Run sends it once more.
func (cmd webhooksRedeliverCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		var d dispatchState
		id := url.PathEscape(cmd.Dispatch)
		err := error(nil)
		if isFirst(cmd.Webhook) {
			err = api.call(ctx, "POST", hookPath(cmd.Webhook, "/deliveries/"+id+"/redeliver"), nil, &d)
		} else {
			err = api.ask(ctx, "POST", dispatchesPath+"/"+id+"/redeliver", nil, &d)
		}
		if isMissing(err) {
			return missing("dispatch", cmd.Dispatch, "drover webhooks log "+cmd.Webhook)
		}
		if err != nil {
			return err
		}
		return onItsWay(c, cmd.oneWebhook, d)
	})
}
