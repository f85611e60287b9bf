package webhooks

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func (s *service) Test(ctx context.Context, id string) (d Dispatch, err error) {
	defer errtypes.Wrap(&err, "webhooks.Test(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return d, err
	}
	return d, s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		w, err := find(ctx, tx, project.ID, id)
		if err != nil {
			return orNotFound(err, id)
		}
		m, err := target(ctx, tx, w)
		if err != nil {
			return err
		}
		e := Event{ProjectID: project.ID, Type: TestEvent, Actor: w.Condition.Actor, Task: w.Condition.Task, Run: w.Condition.Run}
		r := s.newDispatch(e, m)
		r.Object = r.ID // it waits for nothing
		if r, err = s.add(ctx, tx, r, m, Resource(`{}`), ""); err != nil {
			return err
		}
		d, err = s.dispatch(ctx, tx, project.ID, r.ID)
		return err
	})
}

func (s *service) Redeliver(ctx context.Context, id string) (d Dispatch, err error) {
	defer errtypes.Wrap(&err, "webhooks.Redeliver(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return d, err
	}
	return d, s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if d, err = s.dispatch(ctx, tx, project.ID, id); err != nil {
			return err
		}
		if err := s.redeliver(ctx, tx, d.Webhook, id); err != nil {
			return err
		}
		d, err = s.dispatch(ctx, tx, project.ID, id)
		return err
	})
}

func (s *service) redeliver(ctx context.Context, tx *storage.Tx, w Webhook, id string) error {
	r, err := loadDispatch(ctx, tx, id)
	if err != nil {
		return err
	}
	if len(r.body) == 0 && r.bodyKey == "" {
		return errtypes.New(errtypes.Conflict, "the dispatch has no body that could be sent")
	}
	switch tries, err := countAttempts(ctx, tx, r.number); {
	case err != nil:
		return err
	case tries >= s.conf.Limits.MaxAttempts:
		return errtypes.New(errtypes.Conflict, "the dispatch has %d attempts, after which it is not sent again", tries)
	}
	waits, done, err := again(ctx, tx, r.number, s.now())
	switch {
	case err != nil:
		return err
	case !done:
		return errtypes.New(errtypes.Conflict, "the dispatch is under way")
	case waits:
		return nil
	}
	return s.enqueue(ctx, tx, id, w, time.Time{})
}

// endOne ends a dispatch, and lets the next one of its object go.
func (s *service) endOne(ctx context.Context, tx *storage.Tx, r dispatchRow, w Webhook, status Status) error {
	if err := finish(ctx, tx, r.number, status, s.now()); err != nil {
		return err
	}
	next, err := releaseNext(ctx, tx, r.WebhookID, r.Object)
	if errors.Is(err, storage.ErrNoRow) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.enqueue(ctx, tx, next, w, time.Time{})
}
