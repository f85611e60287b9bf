package webhooks

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// topic is what who waits for a dispatch is told by.
func topic(id string) string { return "webhook-dispatch/" + id }

// changed tells who waits for a dispatch, after the commit.
func (s *service) changed(tx *storage.Tx, id string) {
	tx.AfterCommit(func() { s.conf.Notify.Publish(topic(id)) })
}

func (s *service) Wait(ctx context.Context, id string) (d Dispatch, err error) {
	defer errtypes.Wrap(&err, "webhooks.Wait(%q)", id)
	return s.until(ctx, id, func(d Dispatch) bool { return d.Status != Active })
}

// until waits until a dispatch is as it is to be.
func (s *service) until(ctx context.Context, id string, done func(Dispatch) bool) (Dispatch, error) {
	sub := s.conf.Notify.Subscribe(topic(id))
	defer sub.Close()
	for {
		d, err := s.Dispatch(ctx, id)
		if err != nil || done(d) {
			return d, err
		}
		select {
		case <-sub.C():
		case <-s.conf.Notify.Done():
			return d, errtypes.New(errtypes.Unavailable, "the service is closing")
		case <-ctx.Done():
			return d, context.Cause(ctx)
		}
	}
}
