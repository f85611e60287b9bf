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

// versionSpared is how old a version is that is deleted without a newer one.
const versionSpared = time.Hour

// kept has invocations deleted with their logs and results when their time is over,
// versions beyond those that are kept, and results and programs that no row names.
func (s *service) kept() []retention.Task {
	first := func(ctx context.Context, q storage.Querier) (time.Time, error) {
		return firstUnwanted(ctx, q, s.conf.Limits.MaxVersions)
	}
	return []retention.Task{
		retention.Sweep{Things: "programs", Run: s.sweepPrograms},
		retention.Rule{Things: "invocations", Keep: s.conf.Retention, First: firstEnd, Delete: s.deleteBatch},
		retention.Rule{Things: "invocations that nobody took up", Keep: s.conf.Limits.MaxWait, First: firstWaiting, Delete: s.refuseBatch},
		retention.Rule{Things: "versions", Keep: versionSpared, First: first, Delete: s.pruneBefore},
		retention.Orphans{Things: "results of functions", Columns: blobColumns, Blobs: s.conf.Blobs},
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

// sweepPrograms removes what openings of the data that are no more left half made, or
// did not remove any more.
func (s *service) sweepPrograms(ctx context.Context) error {
	if s.conf.Programs == nil {
		return nil
	}
	all, err := s.conf.DB.Instances(ctx)
	if err != nil {
		return err
	}
	left := s.conf.Programs.Sweep(func(id string) bool {
		return slices.ContainsFunc(all, func(i storage.Instance) bool { return i.ID == id && i.Alive })
	})
	return errors.Join(left, s.conf.Programs.sweepBuilt(func(buildID string) (bool, error) { return s.conf.Programs.needed(ctx, buildID) }))
}

// needsProgram reports whether a version or an invocation uses a build.
func (s *service) needsProgram(ctx context.Context, buildID string) (bool, error) {
	return storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (bool, error) { return usesBuild(ctx, q, buildID) })
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
