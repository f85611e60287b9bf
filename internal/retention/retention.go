// Package retention deletes what has been kept for long enough, and files that
// belong to nothing. Domains register with the one [Keeper] of the process,
// which the root starts: a [Rule] says how long rows are kept, [Orphans] are
// blobs that no row names, a [Sweep] removes other things that dead processes
// left. Several processes on the same data may do the same at once: each deletes
// what it finds.
package retention

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// longest and shortest are how long at most, and at least, a rule is left alone.
const longest, shortest = time.Hour, time.Second

const (
	// SweepRest is how long blobs and other files are not looked at, unless a
	// process has died meanwhile: it takes a walk over all.
	SweepRest = 6 * time.Hour
	// OrphanSpared is how young a blob is that a row may yet name.
	OrphanSpared = time.Hour
)

// Task is what a [Keeper] does: a [Rule], [Orphans] or a [Sweep].
type Task interface {
	// do does what is due, until the context ends, and returns when to look
	// again.
	do(ctx context.Context, w work) (rest time.Duration)
}

// work is what all tasks of a keeper use.
type work struct {
	db     *storage.DB
	clock  clock.Clock
	logger *slog.Logger
}

// warn logs what failed, unless everything is coming to its end.
func (w work) warn(ctx context.Context, message string, err error) {
	if err != nil && ctx.Err() == nil {
		w.logger.Warn("retention: "+message, "error", err)
	}
}

// Rule says which rows are deleted, and when.
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
}

func (r Rule) do(ctx context.Context, w work) (rest time.Duration) {
	if r.Keep < 0 {
		return longest
	}
	most := min(longest, max(r.Keep, shortest))
	for ctx.Err() == nil {
		due, err := r.due(ctx, w.db)
		if errors.Is(err, storage.ErrNoRow) {
			return most
		}
		if rest := due.Sub(w.clock.Now()); err == nil && rest > 0 {
			return min(max(rest, shortest), most)
		}
		if err == nil {
			err = r.batch(ctx, w)
		}
		if err != nil {
			w.warn(ctx, "old "+r.Things+" cannot be deleted", err)
			return most
		}
	}
	return most
}

// due is when the time of the first thing is over; [storage.ErrNoRow] if there
// is nothing.
func (r Rule) due(ctx context.Context, db *storage.DB) (due time.Time, err error) {
	err = db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		first, err := r.First(ctx, q)
		due = first.Add(r.Keep)
		return err
	})
	return due, err
}

func (r Rule) batch(ctx context.Context, w work) error {
	before := w.clock.Now().Add(-r.Keep)
	n, err := r.Delete(ctx, before)
	if n > 0 {
		w.logger.Info("retention: old "+r.Things+" are deleted", "number", n, "before", before)
	}
	return err
}

// Orphans are blobs that no row names: what processes have left that died
// between a blob and its row.
type Orphans struct {
	// Things says in the log whose they are, in the plural.
	Things string
	// Columns are where rows name them.
	Columns Columns
	Blobs   blob.Store
}

func (o Orphans) do(ctx context.Context, w work) (rest time.Duration) {
	named := func(ctx context.Context, key string) (named bool, err error) {
		err = w.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
			named, err = o.Columns.Named(ctx, q, key)
			return err
		})
		return named, err
	}
	n, err := blob.Sweep(ctx, o.Blobs, w.clock.Now().Add(-OrphanSpared), named)
	w.warn(ctx, "files of "+o.Things+" that belong to nothing cannot be deleted", err)
	if n > 0 {
		w.logger.Info("retention: files of "+o.Things+" that belong to nothing are deleted", "files", n)
	}
	return SweepRest
}

// Sweep removes what dead processes have left that no row leads to, such as
// directories of theirs.
type Sweep struct {
	// Things says in the log what they are, in the plural.
	Things string
	// Run removes what there is.
	Run func(ctx context.Context) error
}

func (s Sweep) do(ctx context.Context, w work) (rest time.Duration) {
	w.warn(ctx, s.Things+" that a process has left cannot be removed", s.Run(ctx))
	return SweepRest
}
