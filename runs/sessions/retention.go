package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// Ended sessions are deleted when their time is over, by every process that
// has the data open: each deletes what it finds, which several may do at once.
const (
	retainBatch             = 100
	retainRest, retainPause = time.Hour, time.Second
)

// retain deletes sessions until it is stopped. It sleeps until the first is
// due, at most an hour.
func (s *service) retain(run *lifecycle.Run) {
	run.Ready()
	s.sweep(run.Context())
	for {
		timer := s.conf.Clock.NewTimer(s.deleteOld(run.Context()))
		select {
		case <-timer.C():
		case <-run.Stopping():
			timer.Stop()
			return
		}
	}
}

// sweepAge spares blobs whose session is about to name them.
const sweepAge = time.Hour

// sweep deletes blobs that a process wrote which died before it named them.
func (s *service) sweep(ctx context.Context) {
	n, err := blob.Sweep(ctx, s.conf.Blobs, s.conf.Clock.Now().Add(-sweepAge), s.usesBlob)
	if err != nil && ctx.Err() == nil {
		s.conf.Logger.Warn("sessions: lost recordings cannot be deleted", "error", err)
	}
	if n > 0 {
		s.conf.Logger.Info("sessions: lost recordings are deleted", "blobs", n)
	}
}

// deleteOld deletes a batch of what is due and returns when to look again.
func (s *service) deleteOld(ctx context.Context) time.Duration {
	longest := min(retainRest, max(s.conf.Retention, retainPause))
	var first time.Time
	err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		first, err = firstEnd(ctx, q)
		return err
	})
	if errors.Is(err, storage.ErrNoRow) {
		return longest
	}
	if rest := first.Add(s.conf.Retention).Sub(s.conf.Clock.Now()); err == nil && rest > 0 {
		return min(max(rest, retainPause), longest)
	}
	if err == nil {
		err = s.deleteBatch(ctx)
	}
	if err != nil {
		if ctx.Err() == nil {
			s.conf.Logger.Warn("sessions: old sessions cannot be deleted", "error", err)
		}
		return longest
	}
	return retainPause
}

// deleteBatch deletes rows first: a blob that no row names is swept, a row that
// names a blob which is gone would be wrong.
func (s *service) deleteBatch(ctx context.Context) error {
	var old []row
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		if old, err = endedBefore(ctx, tx, s.now().Add(-s.conf.Retention), retainBatch); err != nil {
			return err
		}
		for _, r := range old {
			if err := deleteSession(ctx, tx, r.ID); err != nil {
				return err
			}
		}
		return nil
	})
	for _, r := range old {
		for _, key := range []string{r.logKey, r.recordingKey} {
			if err == nil && key != "" {
				err = s.conf.Blobs.Delete(ctx, key)
			}
		}
	}
	return err
}
