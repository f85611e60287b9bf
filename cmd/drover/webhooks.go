package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/drover-go/drover/internal/ids"
)

// webhooksCmd are about webhooks, of a running service or of the data of one that does
// not run. Their two protocols are those of the two interfaces; ids tell them apart.
type webhooksCmd struct {
	Create    webhooksCreateCmd    `cmd:"" help:"Tell a receiver of events."`
	List      webhooksListCmd      `cmd:"" help:"List webhooks, the oldest first."`
	Show      webhooksShowCmd      `cmd:"" help:"Show a webhook."`
	Test      webhooksTestCmd      `cmd:"" help:"Send an event of type TEST."`
	Log       webhooksLogCmd       `cmd:"" help:"Print what was sent, and what the receiver said."`
	Redeliver webhooksRedeliverCmd `cmd:"" help:"Send what was sent before, or has failed, once more, under the same id."`
	Delete    webhooksDeleteCmd    `cmd:"" help:"Delete a webhook, with what is still to be sent."`
}

// The paths of both interfaces.
const (
	firstWebhooks    = "/v1/webhooks"
	platformWebhooks = "/v2/webhooks"
	dispatchesPath   = "/v2/webhook-dispatches"
)

// hookState is a webhook of either interface.
type hookState struct {
	ID              string     `json:"id"`
	URL             string     `json:"url"`
	EventTypes      []string   `json:"eventTypes"`
	Title           string     `json:"title,omitempty"`
	Description     string     `json:"description,omitempty"`
	Condition       *condition `json:"condition,omitempty"`
	PayloadTemplate string     `json:"payloadTemplate,omitempty"`
	HeadersTemplate string     `json:"headersTemplate,omitempty"`
	Interpolate     bool       `json:"shouldInterpolateStrings,omitempty"`
	IgnoreTLSErrors bool       `json:"ignoreSslErrors,omitempty"`
	DoNotRetry      bool       `json:"doNotRetry,omitempty"`
	CreatedAt       time.Time  `json:"createdAt"`
	Secret          string     `json:"secret,omitempty"` // only of one that was just made
	LastDispatch    *struct {
		Status string `json:"status"`
	} `json:"lastDispatch,omitempty"`
}

// UnmarshalJSON reads the URL under the name that either interface gives it.
func (h *hookState) UnmarshalJSON(raw []byte) error {
	type plain hookState
	in := struct {
		*plain
		Endpoint   string `json:"endpoint"`
		RequestURL string `json:"requestUrl"`
	}{plain: (*plain)(h)}
	err := json.Unmarshal(raw, &in)
	for _, u := range []string{in.Endpoint, in.RequestURL} {
		if u != "" {
			h.URL = u
		}
	}
	return err
}

// condition is whose events a webhook of the platform is for.
type condition struct {
	Actor string `json:"actorId,omitempty"`
	Task  string `json:"actorTaskId,omitempty"`
	Run   string `json:"actorRunId,omitempty"`
}

// text says whose.
func (c *condition) text() string {
	if c == nil {
		return "the project"
	}
	for _, one := range [][2]string{{"Actor", c.Actor}, {"task", c.Task}, {"run", c.Run}} {
		if one[1] != "" {
			return one[0] + " " + one[1]
		}
	}
	return "the project"
}

// isFirst reports whether an id is of the first interface.
func isFirst(id string) bool { return ids.Valid(id) }

func hookPath(id, below string) string {
	base := platformWebhooks
	if isFirst(id) {
		base = firstWebhooks
	}
	return base + "/" + url.PathEscape(id) + below
}

// hook asks for something of one webhook.
func (a *apiClient) hook(ctx context.Context, method, id, below string, body, answer any) error {
	call := a.ask
	if isFirst(id) {
		call = a.call
	}
	err := call(ctx, method, hookPath(id, below), body, answer)
	if isMissing(err) {
		return missing("webhook", id, "drover webhooks list")
	}
	return err
}

// hooks are all webhooks of both interfaces.
func (a *apiClient) hooks(ctx context.Context) (all []hookState, err error) {
	all = []hookState{}
	query := url.Values{"limit": {"1000"}}
	for {
		var page struct {
			Data       []hookState
			NextCursor string
		}
		if err := a.call(ctx, "GET", firstWebhooks+"?"+query.Encode(), nil, &page); err != nil {
			return nil, err
		}
		for _, h := range page.Data {
			all = append([]hookState{h}, all...) // they come newest first
		}
		if page.NextCursor == "" {
			break
		}
		query.Set("cursor", page.NextCursor)
	}
	return all, pages(ctx, a, platformWebhooks, url.Values{}, 0, func(page []hookState) error {
		all = append(all, page...)
		return nil
	})
}

type webhooksListCmd struct{ onService }

// Run prints one line a webhook.
func (cmd webhooksListCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		all, err := api.hooks(ctx)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, all)
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tURL\tEVENTS\tOF\tLAST")
		for _, h := range all {
			last := "-"
			if h.LastDispatch != nil {
				last = h.LastDispatch.Status
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", h.ID, oneLine(h.URL), oneLine(strings.Join(h.EventTypes, ", ")), oneLine(h.Condition.text()), last)
		}
		return w.Flush()
	})
}

// oneWebhook is the argument that names a webhook.
type oneWebhook struct {
	onService
	Webhook string `arg:"" help:"Webhook, by id."`
}

type webhooksShowCmd struct{ oneWebhook }

// Run prints a line for each setting.
func (cmd webhooksShowCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		var h hookState
		if err := api.hook(ctx, "GET", cmd.Webhook, "", nil, &h); err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, h)
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		for _, line := range h.lines() {
			if line[1] != "" {
				fmt.Fprintf(w, "%s:\t%s\n", line[0], oneLine(line[1]))
			}
		}
		return w.Flush()
	})
}

// lines are what is shown, each with its name. What is empty is not.
func (h hookState) lines() [][2]string {
	yes := map[bool]string{true: "yes"}
	return [][2]string{
		{"ID", h.ID}, {"URL", h.URL}, {"Title", h.Title}, {"Description", h.Description}, {"Events", strings.Join(h.EventTypes, ", ")}, {"Of", h.Condition.text()},
		{"Payload", h.PayloadTemplate}, {"Headers", h.HeadersTemplate}, {"Inside of strings", yes[h.Interpolate]},
		{"Any certificate", yes[h.IgnoreTLSErrors]}, {"Sent once", yes[h.DoNotRetry]}, {"Made", zoned(h.CreatedAt)},
	}
}

type webhooksDeleteCmd struct{ oneWebhook }

// Run deletes the webhook.
func (cmd webhooksDeleteCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		if err := api.hook(ctx, "DELETE", cmd.Webhook, "", nil, nil); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Deleted webhook %s.\n", cmd.Webhook)
		return nil
	})
}
