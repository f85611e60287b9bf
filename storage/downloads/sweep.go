package downloads

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// keep has downloads deleted whose time is over, and blobs of processes that
// died before they wrote the row.
func (s *service) keep() {
	s.conf.Keeper.Register(
		retention.Rule{Things: "downloads", Keep: s.conf.Retention, First: oldest, Delete: s.deleteBatch},
		retention.Orphans{Things: "downloads", Columns: blobColumns, Blobs: s.conf.Blobs},
	)
}

func (s *service) deleteBatch(ctx context.Context, before time.Time) (int, error) {
	return s.remove(ctx, deleteOldQuery, storage.Millis(before), batch)
}
