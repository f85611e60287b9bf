package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/keyset"
	hooks "github.com/drover-go/drover/internal/webhooks"
	"github.com/drover-go/drover/storage"
)

type service struct {
	conf    Config
	cursors keyset.Codec
	sender  *hooks.Sender
	ledger  *ledger
	metrics metrics
}

// Hooks is the service, what domains tell of events, and what delivers.
type Hooks struct{ service }

// maxTries is how often it is tried to send what cannot be read, or whose end cannot be
// written, such as while the disk is full: for longer than a day.
const maxTries = 400

// New returns the service, which delivers as soon as the queue is started. Error kind
// Invalid for a config that lacks something.
func New(ctx context.Context, c Config) (_ *Hooks, err error) {
	defer errtypes.Wrap(&err, "webhooks.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	key, err := c.DB.SecretKey(ctx, "cursors")
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	h := &Hooks{service{
		conf: c, cursors: keyset.New(key), ledger: newLedger(c.Limits),
		sender: hooks.NewSender(c.Gate, c.Limits.PerHost, c.Limits.MaxResponse), metrics: newMetrics(c.Telemetry),
	}}
	c.Jobs.Register(jobKind, h.deliver, jobs.KindOptions{Workers: c.Limits.MaxConcurrent, MaxAttempts: maxTries, Exhausted: h.exhausted, Admission: h.ledger})
	h.keep()
	return h, nil
}

// Close closes the connections to receivers. It comes after the end of the queue, which
// delivers. It is idempotent.
func (h *Hooks) Close(context.Context) error {
	h.sender.Close()
	return nil
}

// now is what a row can hold of the time.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.conf.Clock.Now())) }

func (s *service) Create(ctx context.Context, c Create) (w Webhook, secret string, err error) {
	defer errtypes.Wrap(&err, "webhooks.Create")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return w, "", err
	}
	if w, err = s.newWebhook(ctx, project.ID, c); err != nil {
		return w, "", err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if c.IdempotencyKey != "" {
			was, err := findByKey(ctx, tx, project.ID, c.IdempotencyKey)
			if !errors.Is(err, storage.ErrNoRow) {
				w = was
				return err
			}
		}
		if err := s.insert(ctx, tx, w); err != nil {
			return err
		}
		if w.Protocol != Standard {
			return s.tellEnd(ctx, tx, &w)
		}
		secret, err = s.addSecret(ctx, tx, w.ID, w.CreatedAt)
		return err
	})
	return w, secret, err
}

// tellEnd has a webhook of one run that has ended already told of that: who asks to hear
// of the end of a run cannot know whether it is faster.
func (s *service) tellEnd(ctx context.Context, tx *storage.Tx, w *Webhook) error {
	if w.Condition.Run == "" || s.conf.Ended == nil {
		return nil
	}
	e, ended, err := s.conf.Ended(ctx, tx, w.ProjectID, w.Condition.Run)
	if err != nil || !ended || !slices.Contains(w.Events, e.Type) {
		return err
	}
	m, err := target(ctx, tx, *w)
	if err != nil {
		return err
	}
	if err := s.emit(ctx, tx, e, []match{m}); err != nil {
		return err
	}
	*w, err = find(ctx, tx, w.ProjectID, w.ID)
	return err
}

// newWebhook is one that is not written yet.
func (s *service) newWebhook(ctx context.Context, projectID string, c Create) (w Webhook, err error) {
	if len(c.IdempotencyKey) > maxKey {
		return w, errtypes.Field("idempotencyKey", "must be at most %d bytes", maxKey)
	}
	now := s.now()
	w = Webhook{ProjectID: projectID, AdHoc: c.AdHoc, IdempotencyKey: c.IdempotencyKey, CreatedAt: now, ModifiedAt: now}
	if w.Settings, err = s.check(ctx, c.Settings); err != nil {
		return w, err
	}
	if c.AdHoc && (w.Condition.Run == "" || w.Protocol != Platform) {
		return w, errtypes.Field("condition", "of an ad hoc webhook must name the run that it goes with")
	}
	w.ID = ids.New()
	if w.Protocol == Platform {
		w.ID = ids.NewShort()
	}
	return w, nil
}

// insert writes a webhook while there may be another.
func (s *service) insert(ctx context.Context, tx *storage.Tx, w Webhook) error {
	fits, err := insertWebhook(ctx, tx, w, s.conf.Limits)
	switch {
	case errors.Is(err, storage.ErrConflict):
		return errtypes.New(errtypes.Conflict, "the project has a webhook with this URL already: change that one")
	case err == nil && !fits && w.AdHoc:
		return errtypes.OfType(errtypes.TypeTooManyWebhooks, "a run may have %d ad hoc webhooks", s.conf.Limits.PerRun)
	case err == nil && !fits:
		return errtypes.OfType(errtypes.TypeTooManyWebhooks, "a project may have %d webhooks: delete some", s.conf.Limits.PerProject)
	}
	return err
}

func (s *service) Get(ctx context.Context, id string) (w Webhook, err error) {
	defer errtypes.Wrap(&err, "webhooks.Get(%q)", id)
	return s.read(ctx, id)
}

func (s *service) read(ctx context.Context, id string) (w Webhook, err error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return w, err
	}
	w, err = storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (Webhook, error) { return find(ctx, q, project.ID, id) })
	return w, orNotFound(err, id)
}

func orNotFound(err error, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return errtypes.New(errtypes.NotFound, "there is no webhook %q", id)
	}
	return err
}

func (s *service) Update(ctx context.Context, id string, u Update) (w Webhook, err error) {
	defer errtypes.Wrap(&err, "webhooks.Update(%q)", id)
	for {
		was, err := s.read(ctx, id)
		if err != nil {
			return w, err
		}
		w, err := s.update(ctx, was, u)
		if !errors.Is(err, errChanged) {
			return w, err
		}
	}
}

// errChanged says that a webhook is not any more as it was when a change of it was checked.
var errChanged = errors.New("webhooks: the webhook has been changed meanwhile")

// update changes a webhook that is as it was.
func (s *service) update(ctx context.Context, was Webhook, u Update) (w Webhook, err error) {
	next, err := s.check(ctx, u.apply(was.Settings))
	if err != nil {
		return w, err
	}
	if was.AdHoc && next.Condition.Run != was.Condition.Run {
		return w, errtypes.Field("condition", "of an ad hoc webhook cannot be changed")
	}
	return w, s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if w, err = find(ctx, tx, was.ProjectID, was.ID); err != nil {
			return orNotFound(err, was.ID)
		}
		if !reflect.DeepEqual(w.Settings, was.Settings) {
			return errChanged
		}
		w.Settings, w.ModifiedAt = next, s.now()
		err := updateWebhook(ctx, tx, w)
		if errors.Is(err, storage.ErrConflict) {
			return errtypes.New(errtypes.Conflict, "the project has another webhook with this URL")
		}
		return err
	})
}

// apply returns the settings with what is changed.
func (u Update) apply(s Settings) Settings {
	set(&s.URL, u.URL)
	set(&s.PayloadTemplate, u.PayloadTemplate)
	set(&s.HeadersTemplate, u.HeadersTemplate)
	set(&s.Title, u.Title)
	set(&s.Description, u.Description)
	set(&s.Condition, u.Condition)
	set(&s.Interpolate, u.Interpolate)
	set(&s.IgnoreTLSErrors, u.IgnoreTLSErrors)
	set(&s.DoNotRetry, u.DoNotRetry)
	if u.Events != nil {
		s.Events = u.Events
	}
	return s
}

func set[T any](at, to *T) {
	if to != nil {
		*at = *to
	}
}

func (s *service) Delete(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "webhooks.Delete(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		done, err := deleteWebhook(ctx, tx, project.ID, id)
		if err == nil && !done {
			err = orNotFound(storage.ErrNoRow, id)
		}
		return err
	})
}

// stored are the settings that lie together in a column.
type stored struct {
	Events                                               []string
	PayloadTemplate, HeadersTemplate, Title, Description string
	Interpolate, IgnoreTLSErrors, DoNotRetry             bool
}

func (s Settings) text() string {
	text, err := json.Marshal(stored{s.Events, s.PayloadTemplate, s.HeadersTemplate, s.Title, s.Description, s.Interpolate, s.IgnoreTLSErrors, s.DoNotRetry})
	if err != nil {
		panic("webhooks: " + err.Error()) // texts and booleans have no error
	}
	return string(text)
}

func (s *Settings) setText(text string) error {
	var in stored
	err := json.Unmarshal([]byte(text), &in)
	s.Events, s.PayloadTemplate, s.HeadersTemplate, s.Title, s.Description = in.Events, in.PayloadTemplate, in.HeadersTemplate, in.Title, in.Description
	s.Interpolate, s.IgnoreTLSErrors, s.DoNotRetry = in.Interpolate, in.IgnoreTLSErrors, in.DoNotRetry
	return err
}
