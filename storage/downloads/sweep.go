package downloads

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// Downloads whose time is over, and blobs that no row names, are deleted by
// every process that works in the background: each deletes what it finds, which
// several may do at once.
const (
	// restLongest and restLeast are how long at most, and at least, nothing is
	// looked for.
	restLongest, restLeast = time.Hour, time.Second
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
		timer := s.conf.Clock.NewTimer(s.deleteOld(run))
		select {
		case <-timer.C():
		case <-run.Stopping():
			timer.Stop()
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

// deleteOld deletes what is due and returns when to look again.
func (s *service) deleteOld(run *lifecycle.Run) (rest time.Duration) {
	if s.conf.Retention < 0 {
		return restLongest
	}
	longest := min(restLongest, max(s.conf.Retention, restLeast))
	for {
		due, err := s.nextDue(run.Context())
		if errors.Is(err, storage.ErrNoRow) {
			return longest
		}
		if rest := due.Sub(s.conf.Clock.Now()); err == nil && rest > 0 {
			return min(max(rest, restLeast), longest)
		}
		if err == nil {
			err = s.deleteBatch(run.Context())
		}
		if err != nil {
			if run.Context().Err() == nil {
				s.conf.Logger.Warn("downloads: old ones cannot be deleted", "error", err)
			}
			return longest
		}
		select {
		case <-run.Stopping():
			return longest
		default:
		}
	}
}

// nextDue is when the time of the oldest download is over;
// [storage.ErrNoRow] if there is none.
func (s *service) nextDue(ctx context.Context) (due time.Time, err error) {
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		created, err := oldest(ctx, q)
		due = created.Add(s.conf.Retention)
		return err
	})
	return due, err
}

func (s *service) deleteBatch(ctx context.Context) error {
	before := s.conf.Clock.Now().Add(-s.conf.Retention)
	n, err := s.remove(ctx, deleteOldQuery, storage.Millis(before), batch)
	if err == nil && n > 0 {
		s.conf.Logger.Info("downloads: old ones are deleted", "downloads", n, "storedBefore", before)
	}
	return err
}
