package downloads

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// sweep deletes downloads whose time is over, and blobs that no row names, until
// it is stopped. It sleeps until the first is due. Every process that works in
// the background does it: each deletes what it finds, which several may do at once.
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
			s.orphans().Delete(run.Context())
			nextBlobs = now.Add(retention.OrphanRest)
		}
		if !retention.Rest(run, s.conf.Clock, s.kept().Apply(run)) {
			return
		}
	}
}

// orphans are blobs that processes have left which died before the row.
func (s *service) orphans() retention.Orphans {
	return retention.Orphans{
		Things: "downloads", Named: isNamed, Blobs: s.conf.Blobs,
		DB: s.conf.DB, Clock: s.conf.Clock, Logger: s.conf.Logger,
	}
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
