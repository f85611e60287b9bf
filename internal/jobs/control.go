package jobs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// The causes with which the context of a worker ends.
var (
	// ErrCanceled: somebody called [Queue.Cancel]. When the worker then returns
	// nil, this error or [context.Canceled], the job is gone; after any other
	// error it is tried again, because its row may not have come to an end.
	ErrCanceled = errors.New("jobs: the job was canceled")
	// ErrStopping: the queue stops and has waited as long as it may. When the
	// worker returns an error, the job waits for the next process; the attempt
	// does not count.
	ErrStopping = errors.New("jobs: the queue is stopping")
	// ErrLeaseLost: another instance took this one for dead and has the job
	// now. What the worker returns is not looked at. [KindOptions].Exhausted
	// gets it for a job whose process died each time.
	ErrLeaseLost = errors.New("jobs: the lease of the job was lost")
)

type snoozeError struct{ delay time.Duration }

func (e *snoozeError) Error() string { return fmt.Sprintf("jobs: snoozed for %v", e.delay) }

// Snooze is what a worker returns to be called again after d, at once if d is
// not positive. It is not a failure: the attempt does not count, and an
// earlier lost lease is settled.
func Snooze(d time.Duration) error { return &snoozeError{max(d, 0)} }

type discardError struct{ cause error }

func (e *discardError) Error() string { return "jobs: discarded: " + e.cause.Error() }

func (e *discardError) Unwrap() error { return e.cause }

// Discard is what a worker returns when trying again is pointless. The job is
// removed as if its attempts were used up, with err as the cause.
func Discard(err error) error {
	if err == nil {
		err = errors.New("no cause given")
	}
	return &discardError{err}
}

// Exponential returns a backoff that doubles from base with each attempt up to
// limit. Of each wait, the second half is random, so that what failed together
// does not come back together.
func Exponential(base, limit time.Duration) func(attempt int) time.Duration {
	return func(attempt int) time.Duration {
		d := base
		for i := 1; i < attempt && d < limit; i++ {
			d *= 2
		}
		d = max(min(d, limit), 1)
		return d - rand.N(d/2+1)
	}
}
