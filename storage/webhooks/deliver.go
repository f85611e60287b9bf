package webhooks

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/telemetry"
	hooks "github.com/drover-go/drover/internal/webhooks"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// delivery is a dispatch in the hands of a worker.
type delivery struct {
	dispatchRow
	webhook Webhook
	secrets []seal.Sealed
}

// deliver sends a dispatch once, and writes what became of that. It may be called when
// the process before died: after a request that was not recorded, which is then sent again,
// or with the time of the next one already in the row.
func (s *service) deliver(ctx context.Context, j jobs.Job) error {
	d, err := s.load(ctx, j.Ref)
	if errors.Is(err, storage.ErrNoRow) || err == nil && d.Status != Active {
		return nil // it was deleted, or has ended
	}
	if err != nil {
		return err
	}
	if rest := s.rest(d); rest > 0 {
		return jobs.Snooze(rest)
	}
	if j.LeaseLost {
		return jobs.Snooze(0) // it was not weighed: see [jobs.KindOptions]
	}
	if share(d.webhook) != j.Share {
		return s.move(ctx, j, d)
	}
	a, o, err := s.attempt(ctx, d)
	if err != nil {
		return err
	}
	s.ledger.report(j.Share, !o.Silent)
	return s.record(context.WithoutCancel(ctx), j, d, a)
}

// move has a dispatch sent as one of those to another host, because its webhook goes there
// by now: it would take the places of those to the former one.
func (s *service) move(ctx context.Context, j jobs.Job, d delivery) error {
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if err := s.conf.Jobs.Done(ctx, tx, j); err != nil {
			return err
		}
		return s.enqueue(ctx, tx, d.ID, d.webhook, time.Time{})
	})
}

// rest is how long a dispatch still waits for its next attempt. A time further ahead than
// any is left from a clock that was put back since.
func (s *service) rest(d delivery) time.Duration {
	rest := d.NextAt.Sub(s.conf.Clock.Now())
	if d.tries == 0 || rest > retriesOf(d.webhook, d.Event).Longest(d.tries) {
		return 0
	}
	return rest
}

// load reads what is needed to send a dispatch.
func (s *service) load(ctx context.Context, id string) (d delivery, err error) {
	now := s.now()
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if d.dispatchRow, err = loadDispatch(ctx, q, id); err != nil {
			return err
		}
		if d.webhook, err = scanWebhook(q.QueryRow(ctx, `SELECT `+columns+` FROM webhooks w WHERE w.id = $1`, d.WebhookID)); err != nil {
			return err
		}
		if d.webhook.Protocol == Standard {
			d.secrets, err = secretsOf(ctx, q, d.WebhookID, now)
		}
		return err
	})
	return d, err
}

// attempt sends a dispatch. An error says that it was not sent, or that nobody waits for
// the answer.
func (s *service) attempt(ctx context.Context, d delivery) (a Attempt, o hooks.Outcome, err error) {
	body, err := blob.Kept(ctx, s.conf.Blobs, d.body, d.bodyKey)
	if err != nil {
		return a, o, err
	}
	header, most := headerOf(d.dispatchRow, d.webhook.Protocol), s.conf.Limits.PlatformTime
	a.StartedAt = s.conf.Clock.Now()
	if d.webhook.Protocol == Standard {
		most = s.conf.Limits.StandardTime
		keys, err := s.open(d.secrets)
		if err != nil {
			return a, o, err
		}
		header.Set("webhook-id", d.ID)
		header.Set("webhook-timestamp", strconv.FormatInt(a.StartedAt.Unix(), 10))
		header.Set("webhook-signature", hooks.Sign(keys, d.ID, a.StartedAt, body))
	}
	o = s.send(ctx, d, hooks.Request{URL: d.webhook.URL, Header: header, Body: body, IgnoreTLSErrors: d.webhook.IgnoreTLSErrors, Time: most})
	if cause := context.Cause(ctx); cause != nil && o.Error != "" {
		return a, o, cause // it was broken off here
	}
	a.FinishedAt, a.ResponseStatus, a.ResponseBody, a.Error = s.conf.Clock.Now(), o.Status, o.Body, o.Error
	return a, o, nil
}

// send sends a request in a span of its own.
func (s *service) send(ctx context.Context, d delivery, r hooks.Request) hooks.Outcome {
	ctx, span := s.metrics.Span(ctx, telemetry.Client, "deliver "+d.Event)
	span.Set("drover.id", d.ID)
	o := s.sender.Send(ctx, r)
	span.End(failure(o.Error, o.Status))
	return o
}

// record writes an attempt, what it means for the dispatch, and for the job, in one
// transaction.
func (s *service) record(ctx context.Context, j jobs.Job, d delivery, a Attempt) error {
	rest, more := time.Duration(0), false
	if a.Error != "" {
		rest, more = retriesOf(d.webhook, d.Event).After(d.tries + 1)
	}
	status := Succeeded
	if a.Error != "" {
		status = Failed
	}
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		s.changed(tx, d.ID)
		if err := insertAttempt(ctx, tx, d.number, a); err != nil {
			return err
		}
		if err := s.conf.Jobs.Done(ctx, tx, j); err != nil {
			return err
		}
		if !more {
			return s.endOne(ctx, tx, d.dispatchRow, d.webhook, status)
		}
		next := s.now().Add(rest)
		if err := putOff(ctx, tx, d.number, next); err != nil {
			return err
		}
		return s.enqueue(ctx, tx, d.ID, d.webhook, next)
	})
	if err != nil {
		return s.unwritten(ctx, d, err)
	}
	s.metrics.attempted(d.webhook.Protocol, a)
	if !more {
		s.metrics.ended.Add(1, string(d.webhook.Protocol), string(status))
	}
	if !more && status == Failed {
		s.failed(d.dispatchRow, a.Error)
	}
	return nil
}

// unwritten is what follows an attempt that could not be written: nothing, where the
// dispatch was deleted meanwhile.
func (s *service) unwritten(ctx context.Context, d delivery, err error) error {
	if _, gone := s.load(ctx, d.ID); errors.Is(gone, storage.ErrNoRow) {
		return nil
	}
	return err
}

// retriesOf says how what a webhook sends is sent again.
func retriesOf(w Webhook, event string) hooks.Retries {
	return hooks.Retries{Standard: w.Protocol == Standard, Test: event == TestEvent, None: w.DoNotRetry}
}

// exhausted ends a dispatch whose job is given up, because its secret cannot be opened
// or the like.
func (s *service) exhausted(ctx context.Context, tx *storage.Tx, j jobs.Job, cause error) error {
	r, err := loadDispatch(ctx, tx, j.Ref)
	if errors.Is(err, storage.ErrNoRow) || err == nil && r.Status != Active {
		return nil
	}
	if err != nil {
		return err
	}
	w, err := scanWebhook(tx.QueryRow(ctx, `SELECT `+columns+` FROM webhooks w WHERE w.id = $1`, r.WebhookID))
	if err != nil {
		return err
	}
	s.changed(tx, r.ID)
	now, why := s.now(), "it could not be sent: "+publicWords(cause)
	s.unsent(tx, r, w.Protocol, why)
	if err := insertAttempt(ctx, tx, r.number, Attempt{StartedAt: now, FinishedAt: now, Error: why}); err != nil {
		return err
	}
	return s.endOne(ctx, tx, r, w, Failed)
}
