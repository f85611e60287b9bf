package sessions

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// retainBatch is how many sessions go in one transaction.
const retainBatch = 100

// retain deletes ended sessions when their time is over, until it is stopped.
func (s *service) retain(run *lifecycle.Run) {
	run.Ready()
	s.sweep(run.Context())
	s.kept().Follow(run)
}

func (s *service) kept() retention.Rule {
	return retention.Rule{
		Things: "sessions", Keep: s.conf.Retention, First: firstEnd, Delete: s.deleteBatch,
		DB: s.conf.DB, Clock: s.conf.Clock, Logger: s.conf.Logger,
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

// deleteBatch deletes rows first: a blob that no row names is swept, a row that
// names a blob which is gone would be wrong.
func (s *service) deleteBatch(ctx context.Context, before time.Time) (int, error) {
	var old []row
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		if old, err = endedBefore(ctx, tx, before, retainBatch); err != nil {
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
	return len(old), err
}
