package actors

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks"
)

// maxWebhooks is how many a run may be started with.
const maxWebhooks = 100

// adHoc are webhooks that a run is started with.
type adHoc struct {
	settings []webhooks.Settings
	keys     []string
}

// adHoc returns the webhooks of a start as they are attached to the run. Error kind:
// Invalid for too many, and where nobody would send them.
func (s *service) adHoc(all []webhooks.Create) (hooks adHoc, err error) {
	switch {
	case len(all) > maxWebhooks:
		return hooks, errtypes.Field("webhooks", "must have at most %d elements", maxWebhooks)
	case len(all) > 0 && s.conf.Webhooks == nil:
		return hooks, errtypes.Field("webhooks", "cannot be given: this host sends none")
	}
	for _, w := range all {
		w.Protocol = webhooks.Platform
		hooks.settings, hooks.keys = append(hooks.settings, w.Settings), append(hooks.keys, w.IdempotencyKey)
	}
	return hooks, nil
}

// attach gives a run its webhooks, before its first event.
func (s *service) attach(ctx context.Context, tx *storage.Tx, r RunInfo, hooks adHoc) error {
	if len(hooks.settings) == 0 {
		return nil
	}
	return s.conf.Webhooks.Attach(ctx, tx, r.ProjectID, r.ID, hooks.settings, hooks.keys)
}

// runEvents are what happens to runs, by the status that they come to (wire-v2, 5).
var runEvents = map[Status]string{
	Ready: "ACTOR.RUN.CREATED", Succeeded: "ACTOR.RUN.SUCCEEDED", Failed: "ACTOR.RUN.FAILED", TimedOut: "ACTOR.RUN.TIMED_OUT", Aborted: "ACTOR.RUN.ABORTED",
}

const resurrectedEvent = "ACTOR.RUN.RESURRECTED"

// emit tells webhooks what has happened to a run, in the transaction in which it did.
func (s *service) emit(ctx context.Context, tx *storage.Tx, event string, at time.Time, r RunInfo) error {
	return webhooks.Emit(ctx, tx, s.conf.Webhooks, eventOf(event, at, r))
}

func eventOf(event string, at time.Time, r RunInfo) webhooks.Event {
	return webhooks.Event{ProjectID: r.ProjectID, Type: event, Object: r.ID, Actor: r.ActorID, Task: r.TaskID, Run: r.ID, At: at, Row: r}
}

func (s *service) EndOf(ctx context.Context, q storage.Querier, projectID, id string) (e webhooks.Event, ended bool, err error) {
	defer errtypes.Wrap(&err, "actors.EndOf(%q)", id)
	r, err := findOwnRun(ctx, q, projectID, id)
	if errors.Is(err, storage.ErrNoRow) {
		return e, false, nil
	}
	if err != nil || !r.Status.Final() {
		return e, false, err
	}
	return eventOf(runEvents[r.Status], r.FinishedAt, r.RunInfo), true, nil
}

// formerWebhook is a webhook as it stands in rows of runs that were started when none
// were sent. The names of its fields are stored.
type formerWebhook struct {
	Events                           []string
	RequestURL                       string
	PayloadTemplate, HeadersTemplate string
	Interpolate                      bool
	IdempotencyKey                   string
	IgnoreTLSErrors, DoNotRetry      bool
}

func formerWebhooks(text string) (all []webhooks.Create, err error) {
	if text == "" {
		return nil, nil
	}
	var former []formerWebhook
	if err := json.Unmarshal([]byte(text), &former); err != nil {
		return nil, err
	}
	for _, f := range former {
		all = append(all, webhooks.Create{IdempotencyKey: f.IdempotencyKey, AdHoc: true, Settings: webhooks.Settings{
			Protocol: webhooks.Platform, URL: f.RequestURL, Events: f.Events, PayloadTemplate: f.PayloadTemplate, HeadersTemplate: f.HeadersTemplate,
			Interpolate: f.Interpolate, IgnoreTLSErrors: f.IgnoreTLSErrors, DoNotRetry: f.DoNotRetry,
		}})
	}
	return all, nil
}
