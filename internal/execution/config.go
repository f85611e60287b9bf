package execution

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// Phase is how far the life of a row has come.
type Phase uint8

// The phases. A domain may have several states in each.
const (
	Waiting Phase = iota
	Started
	Ended
)

// State is what the life of a row has to know of it.
type State struct {
	Phase Phase
	// Deadline is when the execution is broken off with [ErrTimedOut]; a row
	// whose deadline has passed while it waited is not started. Zero is never.
	Deadline time.Time
	// StopBy is when an execution that was asked to stop is broken off: until
	// then it may end by itself. Zero, or what has passed, is at once. A later
	// stop may shorten it.
	StopBy time.Time

	// For the log, once the row has ended: the domain's name of its state, why it
	// did not succeed, and whether somebody should look into that.
	Status, Cause      string
	Failed             bool
	StartedAt, EndedAt time.Time
}

// Why a row ends that its own work did not bring to an end: what
// [Config].Broken is asked for. Beside these there are [jobs.ErrCanceled] for a
// stop, [jobs.ErrStopping] for a host that closes, the error of Check and what
// Execute returned.
var (
	// ErrTimedOut: its deadline has passed. Also the cause of its context.
	ErrTimedOut = errors.New("execution: the deadline has passed")
	// ErrHostDied: the process that executed it died.
	ErrHostDied = errors.New("execution: the process that executed the row died")
	// ErrEndLost: it was executed, and the end could not be written.
	ErrEndLost = errors.New("execution: the end could not be written")
	// ErrExhausted: nobody could bring it to an end. The error wraps the last
	// one, which is [jobs.ErrLeaseLost] where each process died.
	ErrExhausted = errors.New("execution: no attempt is left")
)

// Attempt is one execution of a row.
type Attempt[R any] struct {
	// Row is as it was started.
	Row R
	// Job says which attempt it is.
	Job jobs.Job
	// Asked is closed when a stop was accepted that leaves time until
	// [State].StopBy; the context ends then.
	Asked <-chan struct{}
	// Suspend stops the time of the deadline until resume is called: while the
	// work waits for a person, say. One suspension at a time.
	Suspend func() (resume func())
}

// Statement is a step in the life of a row: a conditional UPDATE that returns
// the row as it is then; [storage.ErrNoRow] where its condition does not hold.
type Statement[R any] = func(ctx context.Context, q storage.Querier, id string, now time.Time) (R, error)

// Config describes a domain's rows of type R, which end with an E. All is
// required but what has a default.
type Config[R, E any] struct {
	// Name is the kind of the jobs, and in topics and logs that of the rows.
	Name   string
	DB     *storage.DB
	Jobs   *jobs.Queue
	Notify *notify.Hub
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of ends. Default discards.
	Logger *slog.Logger

	// Find returns a row of any project; [storage.ErrNoRow] if there is none.
	Find func(ctx context.Context, q storage.Querier, id string) (R, error)
	// Start starts a row that waits and for which no stop was accepted.
	Start Statement[R]
	// Started is told of a row that Start has started, in the same transaction, which its
	// error undoes: was is the row as it was found before. Default nothing.
	Started func(ctx context.Context, tx *storage.Tx, was, r R) error
	// End ends a row that has not ended, as STOPPED where a stop was accepted;
	// else it is [storage.ErrNoRow]. It has the whole transaction, for what must
	// happen with the end.
	End func(ctx context.Context, tx *storage.Tx, id string, e E, now time.Time) (R, error)
	// RequestStop notes that a stop was accepted of a row of the project that
	// has not ended; else it is [storage.ErrNoRow]. A second one is no error.
	RequestStop func(ctx context.Context, q storage.Querier, projectID, id string, now time.Time) (R, error)
	// Requeue makes a started row wait again whose execution was broken off, if
	// its work may be repeated and no stop was accepted. Default: none may.
	Requeue Statement[R]
	// RequeueOf is the Requeue for what was broken off for a cause: [ErrHostDied],
	// [ErrEndLost], [jobs.ErrStopping], or what Execute asks to be tried again for.
	// Nil is none. Default Requeue, whatever the cause.
	RequeueOf func(r R, cause error) Statement[R]
	// State tells what a row says.
	State func(r R) State

	// Execute does the work and returns how it ends. The cause of its context is
	// [ErrTimedOut] or one of package jobs. An error, or a panic, ends the row as
	// Broken says; one of [Retry] makes it wait again. What Execute has begun it
	// ends before it returns.
	Execute func(ctx context.Context, a Attempt[R]) (E, error)
	// Broken is the end of a row that did not end by its own work.
	Broken func(r R, cause error) E

	// Check is asked whether a row that waits can be executed here; its error
	// goes to Broken, and the row is not started. Default every row can.
	Check func(r R) error
	// Abandoned is told of a started row whose execution was broken off, to clean up
	// after it, in the transaction that ends the row. An error is logged. Default
	// nothing.
	Abandoned func(ctx context.Context, tx *storage.Tx, r R, cause error) error
	// Release frees what this process holds in memory for a row: when it ends here
	// or is found to have ended, before anybody else learns of that. It may be
	// called in a transaction and more than once. Default nothing.
	Release func(id string)
}

func (c Config[R, E]) withDefaults() Config[R, E] {
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.Check == nil {
		c.Check = func(R) error { return nil }
	}
	if c.Abandoned == nil {
		c.Abandoned = func(context.Context, *storage.Tx, R, error) error { return nil }
	}
	if c.Started == nil {
		c.Started = func(context.Context, *storage.Tx, R, R) error { return nil }
	}
	if c.RequeueOf == nil {
		c.RequeueOf = func(R, error) Statement[R] { return c.Requeue }
	}
	if c.Release == nil {
		c.Release = func(string) {}
	}
	return c
}

type retryError struct{ cause error }

func (e *retryError) Error() string { return e.cause.Error() }
func (e *retryError) Unwrap() error { return e.cause }

// Retry is what Execute returns when the work failed and may be tried again:
// after the backoff of the job's kind, if Requeue takes the row and the job has
// attempts left. The row ends with the error otherwise. It must not be nil.
func Retry(err error) error { return &retryError{err} }
