package functions

import (
	"encoding/json"
	"strings"
	"time"
)

// Status is the state of an invocation.
type Status string

// The states. PENDING is followed by RUNNING, and that by one of the others,
// which are final; what is cancelled, or cannot begin, is FAILED from PENDING.
const (
	Pending   Status = "PENDING"
	Running   Status = "RUNNING"
	Completed Status = "COMPLETED"
	Failed    Status = "FAILED"
)

// Statuses returns every status.
func Statuses() []Status { return []Status{Pending, Running, Completed, Failed} }

// Final reports whether an invocation in this state never changes again.
func (s Status) Final() bool { return s == Completed || s == Failed }

// The codes of causes (DECISIONS 26).
const (
	// CauseTimedOut: it took longer than its timeout.
	CauseTimedOut = "TIMED_OUT"
	// CauseInternal: its browser, a place for it or its host failed.
	CauseInternal = "INTERNAL_ERROR"
	// CauseWorkload: the function itself failed, or its result was too large, or
	// its caller cancelled it.
	CauseWorkload = "WORKLOAD_ERROR"
)

// Cause is why an invocation is FAILED.
type Cause struct {
	// Code is one of the Cause constants.
	Code string
	// Message is at most 500 characters; it may be empty.
	Message string
}

// String returns code and message; nothing for no cause.
func (c *Cause) String() string {
	if c == nil {
		return ""
	}
	return strings.TrimSuffix(c.Code+": "+c.Message, ": ")
}

// Invocation is one execution of a version of a function. That which a [Handler]
// gets can open its browser and write its log; one that a [Service] returns is a
// record.
type Invocation struct {
	// ID is a UUID.
	ID, ProjectID         string
	FunctionID, VersionID string
	// SessionID is that of its browser session, which there is once the function
	// has used it.
	SessionID string
	Status    Status
	// Params are an object.
	Params json.RawMessage
	// Result is what the function returned, as JSON; nil until it is COMPLETED,
	// and for a function that returned nothing.
	Result json.RawMessage
	// Cause is nil unless it is FAILED.
	Cause                *Cause
	CreatedAt, UpdatedAt time.Time
	// StartedAt and EndedAt are zero until then.
	StartedAt, EndedAt time.Time
	// Timeout is how long it may take once it has started.
	Timeout time.Duration

	active *active // while a handler executes it
}

// ExpiresAt is when it ends at the latest. As long as it waits, it is that of one
// which began when it was made; Limits.MaxWait bounds the waiting.
func (inv Invocation) ExpiresAt() time.Time {
	from := inv.StartedAt
	if from.IsZero() {
		from = inv.CreatedAt
	}
	return from.Add(inv.Timeout)
}

// Invoke are the fields of a new invocation. The zero value is useful.
type Invoke struct {
	// Params are a JSON object of at most Limits.MaxParams bytes, which fits the
	// schema of the version. Default {}.
	Params json.RawMessage
	// Session are settings of the session that differ from those of the version: a
	// JSON object, merged member by member. Default none.
	Session json.RawMessage
	// VersionID is a version of the function. Default its current one.
	VersionID string
	// Timeout is how long it may take once it has started, 1 second to
	// Limits.MaxTimeout. Default that of the version.
	Timeout time.Duration
	// IdempotencyKey makes the same invocation again return the one there is: at
	// most 255 bytes. Default empty: each is one of its own.
	IdempotencyKey string
}

// Filter selects invocations of a version, newest first.
type Filter struct {
	Page
	// Status, default any. One that there is not selects none (DECISIONS 8).
	Status Status
}

// LogEntry is a line of an invocation's log.
type LogEntry struct {
	// Seq numbers the lines from 0, those that are no longer kept included.
	Seq     int64
	Time    time.Time
	Message string
}
