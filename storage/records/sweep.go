package records

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// keep has unnamed stores deleted that nobody uses any more, what is left of
// deleted ones, and blobs of processes that died before they wrote the row.
func (s *service) keep() {
	s.conf.Keeper.Register(
		retention.Rule{Things: "unnamed stores", Keep: s.conf.Retention, First: oldestUnnamed, Delete: s.deleteUnused},
		retention.Rule{Things: "stores", Keep: purgeRest, First: oldestDeleted, Delete: s.deleteRest},
		retention.Orphans{Things: "stores", Columns: blobColumns, Blobs: s.conf.Blobs},
	)
}

// unusedBatch is how many stores are deleted in one transaction.
const unusedBatch = 100

// deleteUnused hides stores that were last used before, and deletes what is small
// of them.
func (s *service) deleteUnused(ctx context.Context, before time.Time) (int, error) {
	if err := s.use.flush(ctx); err != nil {
		return 0, err
	}
	var gone []int64
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		gone, err = markUnused(ctx, tx, storage.Millis(before), s.now(), unusedBatch)
		return err
	})
	for _, number := range gone {
		if err != nil {
			break
		}
		_, err = s.purge(ctx, number, 1)
	}
	return len(gone), err
}

// deleteRest deletes what is left of stores that were deleted before. It counts
// those that are gone, and the one that it left off at.
func (s *service) deleteRest(ctx context.Context, before time.Time) (n int, err error) {
	left, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) ([]int64, error) {
		return deletedBefore(ctx, q, storage.Millis(before), unusedBatch)
	})
	for _, number := range left {
		if err != nil {
			break
		}
		n++
		_, err = s.purge(ctx, number, purgedAtOnce)
	}
	return n, err
}
