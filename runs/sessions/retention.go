package sessions

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// retainBatch is how many sessions go in one transaction.
const retainBatch = 100

// retain deletes ended sessions when their time is over, until it is stopped.
func (s *service) retain(run *lifecycle.Run) {
	run.Ready()
	s.orphans().Delete(run.Context())
	s.kept().Follow(run)
}

func (s *service) kept() retention.Rule {
	return retention.Rule{
		Things: "sessions", Keep: s.conf.Retention, First: firstEnd, Delete: s.deleteBatch,
		DB: s.conf.DB, Clock: s.conf.Clock, Logger: s.conf.Logger,
	}
}

// orphans are logs and recordings of a process that died before it named them.
func (s *service) orphans() retention.Orphans {
	return retention.Orphans{
		Things: "sessions", Named: usesBlob, Blobs: s.conf.Blobs,
		DB: s.conf.DB, Clock: s.conf.Clock, Logger: s.conf.Logger,
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
