package runs

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
)

// Finished runs are deleted with their messages when their time is over, by
// every process that has workers: each deletes what it finds, which several may
// do at once.
const (
	// retainBatch is how many runs go in one transaction: the messages of a run
	// can be megabytes, and others wait for the writer.
	retainBatch = 20
	// retainRest is how long at most, and at least, nothing is looked for.
	retainRest, retainPause = time.Hour, time.Second
)

// retain deletes runs until it is stopped. It sleeps until the first run is
// due. A process without workers, such as a tool that comes and goes, leaves it
// to others.
func (s *service) retain(run *lifecycle.Run) {
	run.Ready()
	select {
	case <-s.conf.Jobs.Started():
	case <-run.Stopping():
		return
	}
	for {
		timer := s.conf.Clock.NewTimer(s.deleteOld(run))
		select {
		case <-timer.C():
		case <-run.Stopping():
			timer.Stop()
			return
		}
	}
}

// deleteOld deletes what is due and returns when to look again.
func (s *service) deleteOld(run *lifecycle.Run) (rest time.Duration) {
	longest := min(retainRest, max(s.conf.Retention, retainPause))
	for {
		due, err := s.nextDue(run.Context())
		if errors.Is(err, storage.ErrNoRow) {
			return longest
		}
		if rest := due.Sub(s.conf.Clock.Now()); err == nil && rest > 0 {
			return min(max(rest, retainPause), longest)
		}
		if err == nil {
			err = s.deleteBatch(run.Context())
		}
		if err != nil {
			if run.Context().Err() == nil {
				s.conf.Logger.Warn("runs: old runs cannot be deleted", "error", err)
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

// nextDue is when the time of the run is over that ended first;
// [storage.ErrNoRow] if none has ended.
func (s *service) nextDue(ctx context.Context) (due time.Time, err error) {
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		ended, err := firstEnd(ctx, q)
		due = ended.Add(s.conf.Retention)
		return err
	})
	return due, err
}

func (s *service) deleteBatch(ctx context.Context) error {
	var n int
	before := s.now().Add(-s.conf.Retention)
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		n, err = deleteEnded(ctx, tx, before, retainBatch)
		return err
	})
	if err == nil && n > 0 {
		s.conf.Logger.Info("runs: old runs are deleted", "runs", n, "endedBefore", before)
	}
	return err
}
