// Package builds keeps builds: what becomes of a program that somebody has
// published, step by step, with a log that can be followed.
//
// A build is of a kind, and the kind's [Builder] does the work: it unpacks the
// source, installs, and says what was made of it, which is written in the
// transaction that ends the build. A build whose host died starts again, within its
// time and three times at the most.
package builds

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"time"

	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/storage"
)

// Kind is what a build makes.
type Kind string

// The kinds: builds that make versions of functions, and builds of Actors.
const (
	Function Kind = "function"
	Actor    Kind = "actor"
)

// Status is the state of a build.
type Status string

// The states. PENDING is followed by RUNNING, and that by one of the others, which
// are final, or again by PENDING where the host died.
const (
	Pending   Status = "PENDING"
	Running   Status = "RUNNING"
	Succeeded Status = "SUCCEEDED"
	Failed    Status = "FAILED"
	TimedOut  Status = "TIMED_OUT"
	Aborted   Status = "ABORTED"
)

// Final reports whether a build in this state never changes again.
func (s Status) Final() bool { return s != Pending && s != Running }

// Cause is why a build made nothing.
type Cause struct {
	// Code is one of the kind's own; see also [CauseTimedOut], [CauseAborted] and
	// [CauseInternal].
	Code string
	// Message is at most 500 characters.
	Message string
}

// The codes of causes that every kind has.
const (
	CauseTimedOut = "TIMED_OUT"
	CauseAborted  = "ABORTED"
	CauseInternal = "INTERNAL_ERROR"
)

// Build is the record of one.
type Build struct {
	// ID is a UUID, or what its kind has chosen.
	ID, ProjectID string
	Kind          Kind
	// Number tells the builds of an owner apart, in a kind that numbers them; else 0.
	Number int
	// Meta is the kind's own, too: who asked for it. Default nil.
	Meta json.RawMessage
	// Stopping is that it was aborted and has not ended yet.
	Stopping bool
	// OwnerID is what the build is of, in a kind that says so; else empty.
	OwnerID string
	Status  Status
	// Request and Result are the kind's own. Result is nil unless it SUCCEEDED.
	Request, Result json.RawMessage
	// Cause is nil unless it made nothing.
	Cause                *Cause
	CreatedAt, UpdatedAt time.Time
	// ExpiresAt is when it ends at the latest: it counts from the creation.
	ExpiresAt time.Time
	// StartedAt and EndedAt are zero until then.
	StartedAt, EndedAt time.Time
}

// Create are the fields of a new build. Kind, Request and Source are required.
type Create struct {
	Kind    Kind
	OwnerID string
	Request json.RawMessage
	// Meta is JSON. Default nil.
	Meta json.RawMessage
	// Source is what was published, at most Limits.MaxSource bytes; nil for a kind
	// whose builder fetches it: see [Job].Keep.
	Source io.Reader
	// Ranked has the build listed by [Service.Page]. Its ID has to be given then, and
	// Number is asked for it in the transaction that writes it; an error ends that.
	Ranked bool
	ID     string
	Number func(ctx context.Context, tx *storage.Tx) (int, error)
	// Timeout is from its creation to its end, 1 second to Limits.MaxTimeout.
	// Default Limits.DefaultTimeout.
	Timeout time.Duration
}

// Filter selects builds of a kind, newest first.
type Filter struct {
	Kind Kind
	// Statuses, default any.
	Statuses []Status
	// Offset is how many to leave out, Limit how many to return at the most, 1 to
	// 100. Default 0 and 20.
	Offset, Limit int
}

// PageFilter selects ranked builds of a project, in the order of their creation.
type PageFilter struct {
	// OwnerID leaves out those of others. Default all.
	OwnerID string
	// Offset is how many to leave out, Limit how many to return at the most, 1 to
	// 1000. Default 0 and 1000.
	Offset, Limit int
	// Desc has the newest first.
	Desc bool
}

// List is a part of a list, and how long that is.
type List struct {
	Builds []Build
	Total  int
}

// LogEntry is a line of a build's log.
type LogEntry struct {
	// Seq numbers the lines from 0, those that are no longer kept included.
	Seq     int64
	Time    time.Time
	Message string
}

// Failure is the error of a builder about what was published.
type Failure struct {
	// Code is one of the kind's.
	Code string
	// Message is for who has published: what was done, and how it failed.
	Message string
}

func (e *Failure) Error() string { return e.Message }

// Job is what a builder gets.
type Job struct {
	Build Build
	// Source is what was published; nil where nothing was yet.
	Source io.ReadSeeker
	// Keep keeps what the builder has fetched as what was published, at most
	// Limits.MaxSource bytes, and returns it; close it. A build that starts again finds
	// it in Source. Error kind TooLarge.
	Keep func(ctx context.Context, source io.Reader) (io.ReadSeekCloser, error)
	// Log is the log of the build.
	Log *joblog.Log
}

// Product is what came of a build.
type Product interface {
	// Commit writes it in the transaction that ends the build, and returns the
	// build's result. It may be called again when that is rolled back. A [Failure],
	// before anything is written, has the build fail after all.
	Commit(ctx context.Context, tx *storage.Tx, b Build) (json.RawMessage, error)
	// Discard removes it when the build was not ended by it.
	Discard()
}

// Builder builds one kind. A [Failure] is told to who has published; any other
// error is a fault of the host. What it has begun it ends before it returns.
type Builder interface {
	Build(ctx context.Context, j Job) (Product, error)
}

// Service manages builds. Every method acts for the caller's project.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Register has a builder do the builds of a kind. It comes before the workers
	// start.
	Register(kind Kind, b Builder)
	// Create makes a build, PENDING. Error kinds: TooLarge for the source; Invalid
	// for a bad field; Unavailable while closing.
	Create(ctx context.Context, c Create) (Build, error)
	// Get returns a build of a kind. Error kind NotFound.
	Get(ctx context.Context, kind Kind, id string) (Build, error)
	// List returns builds. Error kind Invalid for a page out of range.
	List(ctx context.Context, f Filter) (List, error)
	// Page returns ranked builds, without requests, results, causes and the times of
	// their last change and their start: any page takes the same time, however many
	// there are. Error kind Invalid for a page out of range.
	Page(ctx context.Context, f PageFilter) (List, error)
	// Delete removes a build that has ended, with its log and its source, when check
	// returns nil in the transaction. Error kinds: NotFound; Conflict for one that has
	// not ended; those of check.
	Delete(ctx context.Context, kind Kind, id string, check func(ctx context.Context, tx *storage.Tx, b Build) error) error
	// DeleteAll removes, in the caller's transaction, the builds of an owner that have
	// ended, and aborts the others.
	DeleteAll(ctx context.Context, tx *storage.Tx, kind Kind, ownerID string) error
	// Wait returns the build once it has ended. It polls nothing. Error kinds:
	// NotFound; those of the context.
	Wait(ctx context.Context, kind Kind, id string) (Build, error)
	// Abort ends a build. Error kinds: NotFound; Conflict for one that has ended.
	Abort(ctx context.Context, kind Kind, id string) (Build, error)
	// Logs returns what was logged, oldest first, as far as it was written, which it
	// is once a second. Error kind NotFound.
	Logs(ctx context.Context, kind Kind, id string) ([]LogEntry, error)
	// Follow yields what Logs returns, and goes on until the build has ended. Error
	// kinds: NotFound; those of the context.
	Follow(ctx context.Context, kind Kind, id string) iter.Seq2[LogEntry, error]
	// OpenSource returns what was published; close it. Error kind NotFound, also for
	// a build that was recorded.
	OpenSource(ctx context.Context, kind Kind, id string) (io.ReadSeekCloser, error)
	// Record notes, in the caller's transaction, what was made of a project without
	// being built: a build that has SUCCEEDED at once. Its ID may be set.
	Record(ctx context.Context, tx *storage.Tx, b Build) (Build, error)
	// Release says, in the caller's transaction, that nothing is left of what a build
	// of any project has made, and that nothing will be made of its source again: the
	// source goes, and the build with its log when its time is over. A build that there
	// is not, or that has not ended, is left alone.
	Release(ctx context.Context, tx *storage.Tx, id string) error
	// Close refuses new builds. It is idempotent.
	Close(ctx context.Context) error
}
