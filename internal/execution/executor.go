package execution

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

// Executor executes the rows of a domain.
type Executor[R, E any] struct {
	conf    Config[R, E]
	metrics metrics
}

// New returns an executor. It starts nothing: Work and Exhausted are to be
// registered with the queue under the name of the configuration.
func New[R, E any](c Config[R, E]) *Executor[R, E] {
	return &Executor[R, E]{c.withDefaults(), newMetrics(c.Jobs.Telemetry())}
}

// now is what a row can hold of the time.
func (x *Executor[R, E]) now() time.Time { return storage.Time(storage.Millis(x.conf.Clock.Now())) }

// Work looks at the row that a job is about and brings it a step further: it is
// the worker of the kind.
func (x *Executor[R, E]) Work(ctx context.Context, j jobs.Job) error {
	err := x.look(ctx, j)
	if err != nil && errors.Is(context.Cause(ctx), jobs.ErrCanceled) {
		// A stop may have broken off the look; the queue would take it for
		// accepted. What was stopped has ended, or ends now.
		return x.look(context.WithoutCancel(ctx), j)
	}
	return err
}

func (x *Executor[R, E]) look(ctx context.Context, j jobs.Job) error {
	r, err := x.find(ctx, j.Ref)
	switch {
	case errors.Is(err, storage.ErrNoRow), err == nil && x.conf.State(r).Phase == Ended:
		x.conf.Release(j.Ref)
		return nil
	case err != nil:
		return err
	case x.conf.State(r).Phase == Started:
		return x.abandoned(ctx, j, r)
	case j.LeaseLost && j.Weight > 0:
		return jobs.Snooze(0) // to be weighed
	}
	if err := x.mayStart(r); err != nil {
		return x.end(ctx, j, x.conf.Broken(r, err))
	}
	return x.run(ctx, j, r)
}

func (x *Executor[R, E]) find(ctx context.Context, id string) (R, error) {
	return storage.ReadOne(ctx, x.conf.DB, func(ctx context.Context, q storage.Querier) (R, error) { return x.conf.Find(ctx, q, id) })
}

func (x *Executor[R, E]) mayStart(r R) error {
	if d := x.conf.State(r).Deadline; !d.IsZero() && !x.now().Before(d) {
		return ErrTimedOut
	}
	return x.conf.Check(r)
}

// run starts a row that waits, executes it and ends it.
func (x *Executor[R, E]) run(ctx context.Context, j jobs.Job, r R) error {
	started, err := x.start(ctx, j, r)
	switch {
	case errors.Is(err, storage.ErrNoRow): // stopped just now: if it has not ended, it does
		return x.end(ctx, j, x.conf.Broken(r, jobs.ErrCanceled))
	case err != nil:
		return err
	}
	e, err := x.execute(ctx, j, started)
	if err == nil || errors.Is(context.Cause(ctx), jobs.ErrLeaseLost) {
		return x.end(ctx, j, e)
	}
	if x.repeats(ctx, j, err) {
		if again := x.requeue(ctx, j, x.conf.RequeueOf(started, err)); !errors.Is(again, storage.ErrNoRow) {
			return errors.Join(again, err)
		}
	}
	return x.end(ctx, j, x.conf.Broken(started, err))
}

// repeats reports whether work that failed is to be done again: what a host cut
// off that closes, and what asks for it and has an attempt left.
func (x *Executor[R, E]) repeats(ctx context.Context, j jobs.Job, err error) bool {
	var retry *retryError
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, jobs.ErrStopping):
		return true
	case cause != nil:
		return false
	}
	return errors.As(err, &retry) && j.Attempt < j.MaxAttempts
}

// execute calls Execute under the deadline of the row. Its error is the cause
// with which the context ended, if it did.
func (x *Executor[R, E]) execute(ctx context.Context, j jobs.Job, r R) (e E, err error) {
	ctx, asked, done := x.graceful(ctx, j)
	defer done()
	ctx, limit := within(ctx, x.conf.Clock, x.left(r))
	defer limit.stop()
	ctx, span := x.metrics.begin(ctx, jobs.Label(x.conf.Name), j.Ref)
	defer func() { endSpan(span, e, err) }()
	defer func() {
		if p := recover(); p != nil {
			x.conf.Logger.Error("an execution panicked", "kind", x.conf.Name, "id", j.Ref, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("execution: panic: %v", p)
		}
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}()
	return x.conf.Execute(ctx, Attempt[R]{Row: r, Job: j, Asked: asked, Suspend: limit.suspend})
}

// left is the time until the deadline; 0 for none.
func (x *Executor[R, E]) left(r R) time.Duration {
	deadline := x.conf.State(r).Deadline
	if deadline.IsZero() {
		return 0
	}
	return max(1, deadline.Sub(x.conf.Clock.Now()))
}

// abandoned sees to a row whose execution was broken off: it waits again, if its
// work may be repeated and the job has an attempt left, or it ends.
func (x *Executor[R, E]) abandoned(ctx context.Context, j jobs.Job, r R) error {
	cause := ErrEndLost
	if j.LeaseLost {
		cause = ErrHostDied
	}
	switch err := x.requeue(ctx, j, x.conf.RequeueOf(r, cause)); {
	case err == nil:
		return jobs.Snooze(0)
	case !errors.Is(err, storage.ErrNoRow):
		return err
	}
	return x.finish(ctx, j, func(ctx context.Context, tx *storage.Tx) error { return x.lose(ctx, tx, j.Ref, r, cause) })
}
