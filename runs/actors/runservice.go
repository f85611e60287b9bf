package actors

import (
	"context"
	"io"
	"iter"
	"time"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/webhooks"
)

// RunService manages runs of Actors. It is a part of [Service].
type RunService interface {
	// Start makes a run of an Actor, READY. Error kinds: NotFound; Invalid for options
	// and, with the type invalid-input, for input that is not as the Actor wants it;
	// TooLarge; Forbidden with the type unknown-build-tag or build-not-found;
	// PaymentRequired with actor-memory-limit-exceeded or
	// concurrent-runs-limit-exceeded; Unavailable while closing.
	Start(ctx context.Context, actor string, in Start) (RunInfo, error)
	// StartTask makes a run of a task. Error kinds: those of Start.
	StartTask(ctx context.Context, task string, in Start) (RunInfo, error)
	// PrepareStart checks and decides all about a run of an Actor, and leaves it to the
	// caller to make it, within a transaction of its own, or to drop it. Error kinds:
	// those of Start.
	PrepareStart(ctx context.Context, actor string, in Start) (*Launch, error)
	// PrepareStartTask does the same for a run of a task.
	PrepareStartTask(ctx context.Context, task string, in Start) (*Launch, error)
	// Unfinished returns which of some runs have not ended, and are not about to be
	// aborted.
	Unfinished(ctx context.Context, q storage.Querier, runs []string) ([]string, error)
	// RunSync makes a run, waits until it has SUCCEEDED, and opens the record with the
	// key in its key-value store; OUTPUT where that is empty. Close the result. Whoever
	// stops waiting leaves the run running. Error kinds: those of Start and of Finish;
	// Invalid for a key that no record can have, before the run is made.
	RunSync(ctx context.Context, actor string, in Start, key string) (*Output, error)
	// RunTaskSync does the same with a task.
	RunTaskSync(ctx context.Context, task string, in Start, key string) (*Output, error)
	// EndOf returns the event with which a run of a project has ended, as webhooks are told
	// of it; false of a run that goes on, and where there is none.
	EndOf(ctx context.Context, q storage.Querier, projectID, id string) (webhooks.Event, bool, error)
	// Finish waits until a run has SUCCEEDED. Error kinds: NotFound; RequestTimeout with
	// the type run-timeout-exceeded after Limits.SyncWait, when the run goes on; Invalid
	// with run-failed for another end; those of the context.
	Finish(ctx context.Context, id string) (RunInfo, error)

	// Run returns a run. Error kind NotFound.
	Run(ctx context.Context, id string) (RunInfo, error)
	// Wait returns a run once it has ended, or as it is when so much time is over;
	// below 0 is for ever. It polls nothing. Error kinds: NotFound; Unavailable when the
	// host closes; those of the context.
	Wait(ctx context.Context, id string, most time.Duration) (RunInfo, error)
	// Runs returns a part of the list, without what runs are run with and say of
	// themselves: messages, exit codes, options and counts. Error kinds: Invalid; NotFound for an Actor or a
	// task.
	Runs(ctx context.Context, f RunFilter) (List[RunInfo], error)
	// LastRun returns the run that was asked for last, of those that a filter selects,
	// whose page counts for nothing, and that have the origin; empty for any. Error
	// kinds: Invalid; NotFound, also for an Actor or a task.
	LastRun(ctx context.Context, f RunFilter, origin string) (RunInfo, error)
	// Abort has a run that has not ended end ABORTED: at once, or gracefully, where it
	// is told and has Limits.AbortGrace to end by itself. A second one that is not
	// graceful is at once. It is no error for a run that has ended. Error kind NotFound.
	Abort(ctx context.Context, id string, gracefully bool) (RunInfo, error)
	// Resurrect has a run that has ended go on, with the same stores; its time-out
	// counts anew. Options change those that are given: Build, Timeout, Memory,
	// MaxItems, MaxTotalCharge, RestartOnError. Error kinds: those of Start; Invalid for a run
	// that has not ended.
	Resurrect(ctx context.Context, id string, o RunOptions) (RunInfo, error)
	// Reboot ends the process of a run and begins another one, with the same stores.
	// Error kinds: NotFound; Forbidden with the type job-finished for a run that has ended.
	Reboot(ctx context.Context, id string) (RunInfo, error)
	// Metamorph ends the process of a run and begins one of another Actor, with the
	// same stores and another input, which lies under another key. Error kinds: those of
	// Start; Forbidden with the type job-finished; Invalid with max-metamorphs-exceeded.
	Metamorph(ctx context.Context, id string, m Metamorph) (RunInfo, error)
	// UpdateRun changes the status message. Error kinds: NotFound; Invalid with the type
	// cannot-set-is-status-message-terminal for a run that has ended with its last one.
	UpdateRun(ctx context.Context, id string, u RunUpdate) (RunInfo, error)
	// Charge counts an event of a run, of at most 100 different ones. Error kinds: NotFound;
	// Invalid, with the type invalid-idempotency-key for a key of another charge;
	// MethodNotAllowed with cannot-charge-vendor-event; Forbidden with job-finished for a
	// run that has ended and with too-many-values.
	Charge(ctx context.Context, id string, c Charge) error
	// DeleteRun deletes a run that has ended, with its log and those of its default
	// stores that were not given a name. Error kinds: NotFound; Invalid with the type
	// cannot-remove-running-run.
	DeleteRun(ctx context.Context, id string) error
	// Log yields what a run has logged, as far as it is kept. Error kind NotFound.
	Log(ctx context.Context, id string) iter.Seq2[LogEntry, error]
	// FollowLog yields what Log does, and goes on until the run has ended. Error kinds:
	// NotFound; those of the context.
	FollowLog(ctx context.Context, id string) iter.Seq2[LogEntry, error]

	// AsRun returns a context in which the run calls whose token it is: with its project,
	// and with the run itself ([CallerFrom]). A token is good in the Drover that executes
	// the run, as long as the process lives that it was given to. Error kind
	// Unauthenticated with the type invalid-token.
	AsRun(ctx context.Context, token string) (context.Context, error)

	// Close refuses new runs, and tells those under way that their host goes: they are
	// the queue's, which the host stops next. It is idempotent.
	Close(ctx context.Context) error
}

// Output is what a run has put out.
type Output struct {
	Run RunInfo
	// Record says what it is. Of a run that has put out nothing it is zero.
	Record records.Record
	// Content is empty then.
	io.ReadCloser
}
