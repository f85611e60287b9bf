package builds

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// retainBatch is how many builds go in one transaction.
const retainBatch = 50

// kept has builds deleted that came to nothing, or that were released, with their
// logs, when their time is over, and sources that no build names. The others are what
// versions are made again from.
func (s *service) kept() []retention.Task {
	return []retention.Task{
		retention.Rule{Things: "builds", Keep: s.conf.Retention, First: firstUnneeded, Delete: s.deleteBatch},
		retention.Orphans{Things: "sources of builds", Columns: blobColumns, Blobs: s.conf.Blobs},
	}
}

func (s *service) deleteBatch(ctx context.Context, before time.Time) (n int, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		gone, err := unneededBefore(ctx, tx, before, retainBatch)
		if err != nil {
			return err
		}
		for _, r := range gone {
			if err := s.remove(ctx, tx, r); err != nil {
				return err
			}
		}
		n = len(gone)
		return nil
	})
	return n, err
}
