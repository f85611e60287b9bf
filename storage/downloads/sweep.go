package downloads

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// Downloads whose time is over, and blobs that no row names, are deleted by
// every process that works in the background: each deletes what it finds, which
// several may do at once.
const (
	// blobRest is how long blobs are not looked at: it takes a walk over all.
	blobRest = 6 * time.Hour
	// blobSpared is how young a blob is of which the row may yet be written.
	blobSpared = time.Hour
)

// sweep works until it is stopped. It sleeps until the first download is due.
// A process that neither works in the background nor stores, such as a tool
// that comes and goes, leaves it to others.
func (s *service) sweep(run *lifecycle.Run) {
	run.Ready()
	select {
	case <-s.conf.Working:
	case <-s.storing:
	case <-run.Stopping():
		return
	}
	var nextBlobs time.Time
	for {
		if now := s.conf.Clock.Now(); !now.Before(nextBlobs) {
			s.sweepBlobs(run.Context())
			nextBlobs = now.Add(blobRest)
		}
		if !retention.Rest(run, s.conf.Clock, s.kept().Apply(run)) {
			return
		}
	}
}

// sweepBlobs deletes what processes have left that died between a blob and its
// row.
func (s *service) sweepBlobs(ctx context.Context) {
	n, err := blob.Sweep(ctx, s.conf.Blobs, s.conf.Clock.Now().Add(-blobSpared), s.isNamed)
	switch {
	case err != nil && ctx.Err() == nil:
		s.conf.Logger.Warn("downloads: files that belong to nothing cannot be deleted", "error", err)
	case n > 0:
		s.conf.Logger.Info("downloads: files that belong to nothing are deleted", "files", n)
	}
}

func (s *service) isNamed(ctx context.Context, key string) (named bool, err error) {
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		named, err = isNamed(ctx, q, key)
		return err
	})
	return named, err
}

func (s *service) kept() retention.Rule {
	return retention.Rule{
		Things: "downloads", Keep: s.conf.Retention, First: oldest, Delete: s.deleteBatch,
		DB: s.conf.DB, Clock: s.conf.Clock, Logger: s.conf.Logger,
	}
}

func (s *service) deleteBatch(ctx context.Context, before time.Time) (int, error) {
	return s.remove(ctx, deleteOldQuery, storage.Millis(before), batch)
}
