package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// jobKind is what delivers dispatches.
const jobKind = "webhook"

// Emit implements [Emitter].
func (s *service) Emit(ctx context.Context, tx *storage.Tx, e Event) (err error) {
	some, err := asked(ctx, tx, e)
	if err == nil && some {
		err = s.tell(ctx, tx, e)
	}
	if err == nil && endsRun(e.Type) {
		err = dropSpent(ctx, tx, e.Run)
	}
	if err != nil {
		return fmt.Errorf("webhooks.Emit(%q, %q): %w", e.Type, e.Object, err)
	}
	return nil
}

// tell writes what is sent of an event.
func (s *service) tell(ctx context.Context, tx *storage.Tx, e Event) error {
	all, err := matches(ctx, tx, e)
	if err != nil || len(all) == 0 {
		return err
	}
	return s.emit(ctx, tx, e, all)
}

// endsRun reports whether a run of an Actor has ended with this event.
func endsRun(event string) bool {
	switch event {
	case "ACTOR.RUN.SUCCEEDED", "ACTOR.RUN.FAILED", "ACTOR.RUN.TIMED_OUT", "ACTOR.RUN.ABORTED":
		return true
	}
	return false
}

// emit writes a dispatch for each webhook.
func (s *service) emit(ctx context.Context, tx *storage.Tx, e Event, all []match) error {
	e.UserID = all[0].userID
	resource, problem := s.render(ctx, tx, e)
	for i, m := range all {
		m.active += i
		r := s.newDispatch(e, m)
		if _, err := s.add(ctx, tx, r, m, resource, problem); err != nil {
			return err
		}
	}
	return nil
}

// render shows the row of an event. What cannot be shown is told by problem: the event
// is not lost in silence, and what happened happened.
func (s *service) render(ctx context.Context, tx *storage.Tx, e Event) (_ Resource, problem string) {
	show := s.conf.Render[reflect.TypeOf(e.Row)]
	if show == nil {
		return nil, fmt.Sprintf("objects of type %T cannot be sent", e.Row)
	}
	resource, err := show(ctx, tx, e)
	if err != nil {
		s.conf.Logger.Error("webhooks: an object cannot be rendered", "event", e.Type, "object", e.Object, "error", err)
		return nil, "the object could not be rendered: " + errtypes.Public(err).Message
	}
	return resource, ""
}

// newDispatch is one that is not written yet.
func (s *service) newDispatch(e Event, m match) *dispatchRow {
	now := s.now()
	r := &dispatchRow{Dispatch: Dispatch{
		ID: ids.New(), ProjectID: m.ProjectID, WebhookID: m.ID, Event: e.Type, Object: e.Object, Status: Active, CreatedAt: now, NextAt: now,
	}}
	r.host = hostOf(m.URL)
	if !e.At.IsZero() {
		r.CreatedAt = storage.Time(storage.Millis(e.At))
	}
	if m.Protocol == Platform {
		r.ID, r.EventData = ids.NewShort(), e.data()
	}
	return r
}

// data are the ids that receivers of the platform get.
func (e Event) data() map[string]string {
	data := map[string]string{}
	for name, id := range map[string]string{"actorId": e.Actor, "actorTaskId": e.Task, "actorRunId": e.Run, "actorBuildId": e.Build} {
		if id != "" {
			data[name] = id
		}
	}
	return data
}

// add writes a dispatch, and a job for it unless it waits for others. One with a problem
// has failed at once.
func (s *service) add(ctx context.Context, tx *storage.Tx, r *dispatchRow, m match, resource Resource, problem string) (_ *dispatchRow, err error) {
	if problem == "" {
		if problem, err = s.crowded(ctx, tx, m); err != nil {
			return nil, err
		}
	}
	if problem == "" {
		problem = s.fill(r, m, resource)
	}
	if problem != "" {
		r.Status, r.FinishedAt = Failed, r.NextAt
	} else if r.body, r.bodyKey, err = blob.Keep(ctx, s.conf.Blobs, r.body); err != nil {
		return nil, err
	}
	if err := insertDispatch(ctx, tx, r); err != nil {
		return nil, err
	}
	if problem != "" {
		s.unsent(tx, *r, m.Protocol, problem)
		return r, insertAttempt(ctx, tx, r.number, Attempt{StartedAt: r.NextAt, FinishedAt: r.NextAt, Error: problem})
	}
	if r.waits {
		return r, nil
	}
	return r, s.enqueue(ctx, tx, r.ID, m.Webhook, time.Time{})
}

// unsent counts, and says in the log, after the commit, that a dispatch has failed without
// a request.
func (s *service) unsent(tx *storage.Tx, r dispatchRow, p Protocol, why string) {
	tx.AfterCommit(func() {
		s.metrics.ended.Inc(string(p), string(Failed))
		s.failed(r, why)
	})
}

// failed says in the log that a dispatch is not sent any more.
func (s *service) failed(r dispatchRow, why string) {
	s.conf.Logger.Warn("webhooks: a dispatch has failed", "dispatch", r.ID, "webhook", r.WebhookID, "event", r.Event, "error", why)
}

// shareOfFree is how many times as many dispatches to a host may be under way as the
// project may still have. So one that is dead takes three quarters of all at the
// most, several of them leave room, too, and what others send is not lost for them.
const shareOfFree = 3

// crowded is why another dispatch is too much; empty where it is not.
func (s *service) crowded(ctx context.Context, q storage.Querier, m match) (problem string, err error) {
	free := s.conf.Limits.MaxActive - m.active
	switch {
	case free <= 0:
		return fmt.Sprintf("not sent: the project has %d dispatches under way, which are the most", s.conf.Limits.MaxActive), nil
	case m.active < shareOfFree*free: // nor do more go to one host
		return "", nil
	}
	many, err := hasActive(ctx, q, m.ProjectID, hostOf(m.URL), shareOfFree*free)
	if err != nil || !many {
		return "", err
	}
	return fmt.Sprintf("not sent: %d dispatches or more to its host are under way; the %d that the project may still have are for other hosts", shareOfFree*free, free), nil
}

// enqueue has a dispatch sent, at a time or now.
func (s *service) enqueue(ctx context.Context, tx *storage.Tx, id string, w Webhook, at time.Time) error {
	_, _, err := s.conf.Jobs.Enqueue(ctx, tx, jobs.Insert{Kind: jobKind, ProjectID: w.ProjectID, Ref: id, Weight: 1, Share: share(w), At: at})
	return err
}

// maxShare is the longest share of a job, in bytes: see [jobs.Insert]. Names of hosts are shorter, those
// that can be looked up.
const maxShare = 512

// share is what dispatches of a project to a host have in common.
func share(w Webhook) string {
	all := w.ProjectID + " " + hostOf(w.URL)
	return all[:min(len(all), maxShare)]
}

func hostOf(rawURL string) string {
	u, err := egress.ParseURL(rawURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// Attach implements [Emitter].
func (s *service) Attach(ctx context.Context, tx *storage.Tx, projectID, run string, all []Settings, keys []string) (err error) {
	defer errtypes.Wrap(&err, "webhooks.Attach(%q)", run)
	for i, settings := range all {
		c := Create{Settings: settings, AdHoc: true}
		c.Condition = Condition{Run: run}
		if i < len(keys) {
			c.IdempotencyKey = keys[i]
		}
		if err := s.attach(ctx, tx, projectID, c); err != nil {
			return limit.Within(fmt.Sprintf("webhooks[%d]", i), err)
		}
	}
	return nil
}

// attach adds an ad hoc webhook, unless the project has one with its key.
func (s *service) attach(ctx context.Context, tx *storage.Tx, projectID string, c Create) error {
	w, err := s.newAdHoc(ctx, projectID, c)
	if err != nil {
		return err
	}
	if w.IdempotencyKey != "" {
		if _, err := findByKey(ctx, tx, projectID, w.IdempotencyKey); err != storage.ErrNoRow {
			return err
		}
	}
	return s.insert(ctx, tx, w)
}

// newAdHoc is newWebhook for a run that is being started: nothing is asked for it.
func (s *service) newAdHoc(ctx context.Context, projectID string, c Create) (Webhook, error) {
	quiet := *s
	quiet.conf.Resolve = nil
	return quiet.newWebhook(ctx, projectID, c)
}

// envelope is what receivers of [Standard] get (wire-v1, 7).
type envelope struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	ResourceID string   `json:"resourceId"`
	Data       Resource `json:"data"`
}

// fill makes the body and the headers of a dispatch. The problem is why it cannot.
func (s *service) fill(r *dispatchRow, m match, resource Resource) (problem string) {
	if m.Protocol == Standard {
		body, err := json.Marshal(envelope{r.ID, r.Event, r.Object, resource})
		if err != nil {
			return "the object is no JSON"
		}
		r.body = body
		return ""
	}
	return s.fillPlatform(r, m, resource)
}
