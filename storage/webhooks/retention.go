package webhooks

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// blobColumns are where rows name blobs.
var blobColumns = retention.Columns{"webhook_dispatches.body_key"}

// batch is how many dispatches are deleted in one transaction.
const batch = 200

func (s *service) keep() {
	s.conf.Keeper.Register(
		retention.Rule{Things: "dispatches of webhooks", Keep: s.conf.Retention, First: firstEnded, Delete: s.deleteEnded},
		retention.Orphans{Things: "webhooks", Columns: blobColumns, Blobs: s.conf.Blobs},
	)
}

// deleteEnded deletes dispatches that ended before a time, and then their blobs.
func (s *service) deleteEnded(ctx context.Context, before time.Time) (n int, err error) {
	var keys []string
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		keys, err = deleteEnded(ctx, tx, before, batch)
		return err
	})
	for _, key := range keys {
		if err == nil && key != "" {
			err = s.conf.Blobs.Delete(ctx, key)
		}
	}
	return len(keys), err
}

// publicWords are what a caller may see of an error.
func publicWords(err error) string { return errtypes.Public(err).Message }
