package sessions

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// retainBatch is how many sessions go in one transaction.
const retainBatch = 100

// sweeper is a provider of browsers that can remove what those of dead
// processes on this machine have left. It takes nothing from who lives.
type sweeper interface{ Sweep() }

// keep has ended sessions deleted when their time is over, and files of
// processes that died.
func (s *service) keep() {
	s.conf.Keeper.Register(
		s.kept(),
		retention.Orphans{Things: "sessions", Columns: blobColumns, Blobs: s.conf.Blobs},
		retention.Sweep{Things: "uploads", Run: s.sweepUploads},
	)
	if browsers, ok := s.conf.Browser.(sweeper); ok {
		s.conf.Keeper.Register(retention.Sweep{Things: "browsers", Run: func(context.Context) error {
			browsers.Sweep()
			return nil
		}})
	}
}

func (s *service) kept() retention.Rule {
	return retention.Rule{Things: "sessions", Keep: s.conf.Retention, First: firstEnd, Delete: s.deleteBatch}
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
			if err := s.conf.Logs.Delete(ctx, tx, logOf(r).ID()); err != nil {
				return err
			}
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
