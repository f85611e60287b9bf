// Package retention deletes what has been kept for long enough: a rule says
// how long that is and how to delete, and sleeps until the first thing is due.
// Several processes on the same data may follow the same rule at once: each
// deletes what it finds.
package retention

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
)

// longest and shortest are how long at most, and at least, nothing is looked
// for.
const longest, shortest = time.Hour, time.Second

// Rule says what is deleted, and when. All fields are required.
type Rule struct {
	// Things names in the log what is deleted, in the plural.
	Things string
	// Keep is how long each is kept; below 0 for ever.
	Keep time.Duration
	// First is the time from which that has been kept which is due first;
	// [storage.ErrNoRow] if there is nothing.
	First func(context.Context, storage.Querier) (time.Time, error)
	// Delete deletes what has been kept since before the time given, and says
	// how many it were. It may leave some, if it has deleted any.
	Delete func(ctx context.Context, before time.Time) (n int, err error)
	DB     *storage.DB
	Clock  clock.Clock
	Logger *slog.Logger
}

// Follow deletes until the run is to stop.
func (r Rule) Follow(run *lifecycle.Run) {
	for Rest(run, r.Clock, r.Apply(run)) {
	}
}

// Rest waits that long; it reports false when the run is to stop.
func Rest(run *lifecycle.Run, c clock.Clock, d time.Duration) bool {
	timer := c.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return true
	case <-run.Stopping():
		return false
	}
}

// Apply deletes what is due, until the run is to stop, and returns when to look
// again.
func (r Rule) Apply(run *lifecycle.Run) (rest time.Duration) {
	if r.Keep < 0 {
		return longest
	}
	most := min(longest, max(r.Keep, shortest))
	for !stops(run) {
		due, err := r.Due(run.Context())
		if errors.Is(err, storage.ErrNoRow) {
			return most
		}
		if rest := due.Sub(r.Clock.Now()); err == nil && rest > 0 {
			return min(max(rest, shortest), most)
		}
		if err == nil {
			err = r.batch(run.Context())
		}
		if err != nil {
			r.warn(run.Context(), err)
			return most
		}
	}
	return most
}

// Due is when the time of the first thing is over; [storage.ErrNoRow] if there
// is nothing.
func (r Rule) Due(ctx context.Context) (due time.Time, err error) {
	err = r.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		first, err := r.First(ctx, q)
		due = first.Add(r.Keep)
		return err
	})
	return due, err
}

func (r Rule) batch(ctx context.Context) error {
	before := r.Clock.Now().Add(-r.Keep)
	n, err := r.Delete(ctx, before)
	if n > 0 {
		r.Logger.Info("retention: old "+r.Things+" are deleted", "number", n, "before", before)
	}
	return err
}

func (r Rule) warn(ctx context.Context, err error) {
	if ctx.Err() == nil {
		r.Logger.Warn("retention: old "+r.Things+" cannot be deleted", "error", err)
	}
}

func stops(run *lifecycle.Run) bool {
	select {
	case <-run.Stopping():
		return true
	default:
		return false
	}
}
