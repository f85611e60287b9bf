package extensions

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

const (
	// sweepRest is how long blobs are not looked at: it takes a walk over all.
	sweepRest = 6 * time.Hour
	// sweepSpared is how young a blob is that a row may yet name.
	sweepSpared = time.Hour
)

// sweep deletes what processes have left that died between a blob and its
// row, until it is stopped.
func (s *service) sweep(run *lifecycle.Run) {
	run.Ready()
	select {
	case <-s.conf.Working:
	case <-run.Stopping():
		return
	}
	for {
		n, err := blob.Sweep(run.Context(), s.conf.Blobs, s.conf.Clock.Now().Add(-sweepSpared), s.isNamed)
		switch {
		case err != nil && run.Context().Err() == nil:
			s.conf.Logger.Warn("extensions: archives that belong to nothing cannot be deleted", "error", err)
		case n > 0:
			s.conf.Logger.Info("extensions: archives that belong to nothing are deleted", "archives", n)
		}
		if !retention.Rest(run, s.conf.Clock, sweepRest) {
			return
		}
	}
}

func (s *service) isNamed(ctx context.Context, key string) (named bool, err error) {
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		named, err = isNamed(ctx, q, key)
		return err
	})
	return named, err
}
