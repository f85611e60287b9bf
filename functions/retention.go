package functions

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// retainBatch is how many invocations go in one transaction.
const retainBatch = 50

// kept has invocations deleted with their logs and results when their time is
// over, and results that no invocation names.
func (s *service) kept() []retention.Task {
	return []retention.Task{
		retention.Sweep{Things: "programs", Run: s.sweepPrograms},
		retention.Rule{Things: "invocations", Keep: s.conf.Retention, First: firstEnd, Delete: s.deleteBatch},
		retention.Rule{Things: "invocations that nobody took up", Keep: s.conf.Limits.MaxWait, First: firstWaiting, Delete: s.refuseBatch},
		retention.Orphans{Things: "results of functions", Named: namesBlob, Blobs: s.conf.Blobs},
	}
}

// errNotTakenUp is the end of an invocation that no process has taken up.
var errNotTakenUp = errors.New("functions: the invocation waited for too long")

// refuseBatch ends invocations that were made before a time and still wait.
func (s *service) refuseBatch(ctx context.Context, before time.Time) (n int, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		waiting, err := waitingSince(ctx, tx, before, retainBatch)
		if err != nil {
			return err
		}
		n = len(waiting)
		for _, r := range waiting {
			if _, err := s.executorOf(r).Refuse(ctx, tx, r.ID, errNotTakenUp); err != nil && !errors.Is(err, storage.ErrNoRow) {
				return err
			}
		}
		return nil
	})
	return n, err
}

// sweepPrograms removes what openings of the data that are no more left half made.
func (s *service) sweepPrograms(ctx context.Context) error {
	if s.conf.Programs == nil {
		return nil
	}
	all, err := s.conf.DB.Instances(ctx)
	if err != nil {
		return err
	}
	return s.conf.Programs.Sweep(func(id string) bool {
		return slices.ContainsFunc(all, func(i storage.Instance) bool { return i.ID == id && i.Alive })
	})
}

// deleteBatch leaves blobs that cannot be deleted to the sweep of those that
// nothing names.
func (s *service) deleteBatch(ctx context.Context, before time.Time) (n int, err error) {
	var gone []row
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		if gone, err = endedBefore(ctx, tx, before, retainBatch); err != nil {
			return err
		}
		for _, r := range gone {
			if err := s.conf.Logs.Delete(ctx, tx, logOf(r).ID()); err != nil {
				return err
			}
			if err := deleteInvocation(ctx, tx, r.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, r := range gone {
		s.dropBlob(ctx, r.resultBlob)
	}
	return len(gone), nil
}
