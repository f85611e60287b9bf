package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// verdict is what becomes of a job after an attempt.
type verdict uint8

const (
	remove  verdict = iota // it is done
	goOn                   // it waits on, as outcome.back says
	exhaust                // it is removed, and Exhausted is told
	forgone                // it is another's now
)

// outcome is how an attempt ended.
type outcome struct {
	*execution
	err     error
	verdict verdict
	back    putBack
}

// work runs the worker and posts how that ended, whatever happens in there.
func (q *Queue) work(e *execution) {
	err := errors.New("jobs: the worker ended its goroutine")
	began := time.Now()
	defer func() {
		o := judge(e, err, q.opts.Clock.Now())
		q.metrics.attempts.Inc(Label(e.Kind), o.verdict.label())
		q.metrics.lasts.Seconds(time.Since(began), Label(e.Kind))
		e.cancel(nil)
		e.giveBack()
		q.mail.postEnded(o)
	}()
	err = protect(q.log(e), func() error { return e.kind.worker(q.opts.Telemetry.Continue(e.ctx, q.parents.Take(e.ID)), e.Job) })
}

// protect turns a panic of f into an error and logs where it came from.
func protect(log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("a job panicked", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("jobs: panic: %v", p)
		}
	}()
	return f()
}

// judge decides what becomes of the job.
func judge(e *execution, err error, now time.Time) outcome {
	o := outcome{execution: e, err: err}
	cause := context.Cause(e.ctx)
	var snooze *snoozeError
	var discard *discardError
	switch {
	case errors.Is(cause, ErrLeaseLost):
		o.verdict = forgone
	case err == nil, errors.Is(cause, ErrCanceled) && acceptsCancel(err):
		o.verdict = remove
	case errors.As(err, &snooze):
		o.verdict, o.back = goOn, putBack{at: now.Add(snooze.delay), uncount: true, settle: true}
	case errors.As(err, &discard):
		o.verdict, o.err = exhaust, discard.cause
	case errors.Is(cause, ErrStopping):
		o.verdict, o.back = goOn, putBack{uncount: true}
	case e.Attempt >= e.MaxAttempts:
		o.verdict = exhaust
	default:
		o.verdict, o.back = goOn, e.backoff(now)
	}
	return o
}

// acceptsCancel reports whether the error is how a canceled worker ends.
func acceptsCancel(err error) bool {
	var snooze *snoozeError
	return errors.Is(err, ErrCanceled) || errors.Is(err, context.Canceled) || errors.As(err, &snooze)
}

func (e *execution) backoff(now time.Time) putBack {
	return putBack{at: now.Add(max(0, e.kind.opts.Backoff(e.Attempt)))}
}

// hopeless is why the job is not even begun: it is never admitted, or its
// processes have died until even the attempt was used up that is there to look
// at a lost lease.
func (e *execution) hopeless() error {
	if e.never == nil && e.LeaseLost && e.Attempt > e.MaxAttempts+1 {
		return ErrLeaseLost
	}
	return e.never
}

func (q *Queue) log(e *execution) *slog.Logger {
	return q.opts.Logger.With("job", e.ID, "kind", e.Kind, "ref", e.Ref, "attempt", e.Attempt)
}
