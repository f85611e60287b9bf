package records

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func (s *service) Delete(ctx context.Context, kind Kind, store string) (err error) {
	defer errtypes.Wrap(&err, "records.Delete(%q)", store)
	r, err := s.ref(ctx, kind, store)
	if err != nil {
		return err
	}
	var gone row
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		gone, err = markDeleted(ctx, tx, r, s.now())
		return err
	})
	if err != nil {
		return err
	}
	s.use.forget(gone.ID)
	if _, err := s.purge(ctx, gone.number, purgedAtOnce); err != nil {
		s.conf.Logger.Warn("records: what a deleted store holds cannot be deleted; it is tried again later", "error", err)
	}
	return nil
}

const (
	// purgeBatch is how many rows go in one transaction: others wait for the
	// writer.
	purgeBatch = 200
	// purgedAtOnce is how many batches a caller waits for; the keeper does the
	// rest.
	purgedAtOnce = 10
	// purgeRest is how long what is left of a deleted store is left alone.
	purgeRest = time.Minute
)

// purge deletes what a deleted store holds, and then its row, as far as that many
// batches go.
func (s *service) purge(ctx context.Context, number int64, batches int) (done bool, err error) {
	for range batches {
		var blobs []string
		err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
			blobs, done, err = deleteContent(ctx, tx, number, purgeBatch)
			return err
		})
		if err != nil {
			return false, err
		}
		if s.dropBlobs(ctx, blobs...); done {
			return true, nil
		}
	}
	return false, nil
}
