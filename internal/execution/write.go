package execution

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

// step runs a statement in a transaction of its own, if the worker still has the
// job, and then what has to happen with it.
func (x *Executor[R, E]) step(ctx context.Context, j jobs.Job, do Statement[R], then func(context.Context, *storage.Tx, R) error) (r R, err error) {
	err = x.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if err := x.conf.Jobs.Held(ctx, tx, j); err != nil {
			return err
		}
		x.Changed(tx, j.Ref)
		if r, err = do(ctx, tx, j.Ref, x.now()); err != nil {
			return err
		}
		return then(ctx, tx, r)
	})
	return r, err
}

// start makes a row that waits a started one.
func (x *Executor[R, E]) start(ctx context.Context, j jobs.Job, was R) (R, error) {
	return x.step(ctx, j, x.conf.Start, func(ctx context.Context, tx *storage.Tx, r R) error { return x.conf.Started(ctx, tx, was, r) })
}

// requeue makes a started row wait again; [storage.ErrNoRow] if it may not, or
// the job has no attempt left.
func (x *Executor[R, E]) requeue(ctx context.Context, j jobs.Job, do Statement[R]) error {
	if do == nil || j.Attempt > j.MaxAttempts {
		do = func(context.Context, storage.Querier, string, time.Time) (r R, err error) { return r, storage.ErrNoRow }
	}
	return x.insist(context.WithoutCancel(ctx), func(ctx context.Context) error {
		_, err := x.step(ctx, j, do, func(context.Context, *storage.Tx, R) error { return nil })
		return err
	})
}

func (x *Executor[R, E]) end(ctx context.Context, j jobs.Job, e E) error {
	return x.finish(ctx, j, func(ctx context.Context, tx *storage.Tx) error { return x.write(ctx, tx, j.Ref, e) })
}

// finish writes the end of the row and removes the job, in one transaction. It does
// so whatever has become of the context, unless the row is another's now.
func (x *Executor[R, E]) finish(ctx context.Context, j jobs.Job, write func(context.Context, *storage.Tx) error) error {
	if cause := context.Cause(ctx); errors.Is(cause, jobs.ErrLeaseLost) {
		return cause
	}
	return x.insist(context.WithoutCancel(ctx), func(ctx context.Context) error { return x.tryEnd(ctx, j, write) })
}

// What is written after the work, or read because of a stop, is tried again while the
// database is busy: only this is missing.
const (
	tries     = 3
	triesRest = time.Second
)

func (x *Executor[R, E]) insist(ctx context.Context, do func(context.Context) error) (err error) {
	for try := range tries {
		if try > 0 {
			if err := clock.Sleep(ctx, x.conf.Clock, triesRest); err != nil {
				return err
			}
		}
		if err = do(ctx); !errtypes.Is(err, errtypes.Unavailable) {
			return err
		}
	}
	return err
}

func (x *Executor[R, E]) tryEnd(ctx context.Context, j jobs.Job, write func(context.Context, *storage.Tx) error) error {
	return x.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if err := x.conf.Jobs.Done(ctx, tx, j); err != nil {
			return err
		}
		x.conf.Release(j.Ref) // before anybody learns of the end
		return write(ctx, tx)
	})
}

// lose ends a row whose execution was broken off, or that never came to one.
func (x *Executor[R, E]) lose(ctx context.Context, tx *storage.Tx, id string, r R, cause error) error {
	if x.conf.State(r).Phase == Started {
		if err := x.conf.Abandoned(ctx, tx, r, cause); err != nil {
			x.conf.Logger.Warn("what an execution left cannot be cleaned up", "kind", x.conf.Name, "id", id, "error", err)
		}
	}
	return x.write(ctx, tx, id, x.conf.Broken(r, cause))
}

// write ends a row that has not ended.
func (x *Executor[R, E]) write(ctx context.Context, tx *storage.Tx, id string, e E) error {
	x.Changed(tx, id)
	_, err := x.writeEnd(ctx, tx, id, e)
	if errors.Is(err, storage.ErrNoRow) {
		return nil
	}
	return err
}

// writeEnd ends a row, which is [storage.ErrNoRow] where it has ended.
func (x *Executor[R, E]) writeEnd(ctx context.Context, tx *storage.Tx, id string, e E) (R, error) {
	r, err := x.conf.End(ctx, tx, id, e, x.now())
	if err == nil {
		tx.AfterCommit(func() { x.logEnd(id, x.conf.State(r)) })
	}
	return r, err
}

func (x *Executor[R, E]) logEnd(id string, s State) {
	x.metrics.ended(jobs.Label(x.conf.Name), s)
	level, attrs := slog.LevelInfo, []any{"kind", x.conf.Name, "id", id, "status", s.Status}
	if !s.StartedAt.IsZero() {
		attrs = append(attrs, "took", s.EndedAt.Sub(s.StartedAt))
	}
	if s.Cause != "" {
		attrs = append(attrs, "cause", s.Cause)
	}
	if s.Failed {
		level = slog.LevelWarn
	}
	x.conf.Logger.Log(context.Background(), level, "a row has ended", attrs...)
}

// Exhausted ends a row that nobody could bring to an end, in the transaction
// that gives its job up: it is for [jobs.KindOptions].
func (x *Executor[R, E]) Exhausted(ctx context.Context, tx *storage.Tx, j jobs.Job, cause error) error {
	r, err := x.conf.Find(ctx, tx, j.Ref)
	if err != nil && !errors.Is(err, storage.ErrNoRow) {
		return err
	}
	tx.AfterCommit(func() { x.conf.Release(j.Ref) })
	if err != nil {
		return nil
	}
	if x.conf.State(r).Phase == Ended {
		return nil
	}
	return x.lose(ctx, tx, j.Ref, r, fmt.Errorf("%w: %w", ErrExhausted, cause))
}

// Enqueue writes the job of a row that the same transaction inserts, whose id
// is the Ref. The kind need not be given. Errors: those of [jobs.Queue.Enqueue].
func (x *Executor[R, E]) Enqueue(ctx context.Context, tx *storage.Tx, in jobs.Insert) error {
	in.Kind = x.conf.Name
	_, _, err := x.conf.Jobs.Enqueue(ctx, tx, in)
	return err
}

// Stop accepts a stop of a row of the project. What nobody executes, or has only
// just begun to, ends in this transaction; the worker of any other ends it.
// [storage.ErrNoRow] says that there is no such row or that it has ended.
func (x *Executor[R, E]) Stop(ctx context.Context, tx *storage.Tx, projectID, id string) (R, error) {
	r, err := x.conf.RequestStop(ctx, tx, projectID, id, x.now())
	if err != nil {
		return r, err
	}
	running, err := x.conf.Jobs.Cancel(ctx, tx, x.conf.Name, id)
	if err != nil {
		return r, err
	}
	ends := !running || x.conf.State(r).Phase == Waiting
	if ends {
		tx.AfterCommit(func() { x.conf.Release(id) })
	}
	x.Changed(tx, id)
	if ends {
		r, err = x.writeEnd(ctx, tx, id, x.conf.Broken(r, jobs.ErrCanceled))
	}
	return r, err
}

// Refuse ends a row that waits, in the caller's transaction: Broken says how, by the
// cause. [storage.ErrNoRow] says that it waits no more.
func (x *Executor[R, E]) Refuse(ctx context.Context, tx *storage.Tx, id string, cause error) (R, error) {
	r, err := x.conf.Find(ctx, tx, id)
	if err != nil {
		return r, err
	}
	if x.conf.State(r).Phase != Waiting {
		return r, storage.ErrNoRow
	}
	if _, err := x.conf.Jobs.Cancel(ctx, tx, x.conf.Name, id); err != nil {
		return r, err
	}
	tx.AfterCommit(func() { x.conf.Release(id) })
	x.Changed(tx, id)
	return x.writeEnd(ctx, tx, id, x.conf.Broken(r, cause))
}
