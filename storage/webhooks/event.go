package webhooks

import (
	"context"
	"slices"
	"time"

	"github.com/drover-go/drover/storage"
)

// Event is something that happened to an object.
type Event struct {
	// ProjectID is whose object it is.
	ProjectID string
	// Type is one of [StandardEvents] or [PlatformEvents].
	Type string
	// Object is the id of what it happened to; the events of an object are delivered in
	// their order.
	Object string
	// Actor, Task, Run and Build are the ids that conditions, and receivers of Platform,
	// go by; those that the event is not about are empty.
	Actor, Task, Run, Build string
	// At is when it happened. Default now.
	At time.Time
	// Row is the domain's value of the object as it is after what happened. It is
	// rendered where a webhook asks for the event, and nowhere else.
	Row any
	// UserID is that of the project in the second interface. The emitter fills it in for
	// [Render].
	UserID string
}

// Emitter takes note of events. A nil one is none: domains that have no webhooks call
// [Emit].
type Emitter interface {
	// Emit writes what is to be sent, in the transaction in which it happened. It costs
	// one look-up where no webhook of the project is for the event.
	Emit(ctx context.Context, tx *storage.Tx, e Event) error
	// Attach gives a run webhooks that go with it, in the transaction that starts it,
	// before its first event.
	Attach(ctx context.Context, tx *storage.Tx, projectID, run string, all []Settings, keys []string) error
}

// Emit emits an event, if there is somebody to take note of it.
func Emit(ctx context.Context, tx *storage.Tx, e Emitter, event Event) error {
	if e == nil {
		return nil
	}
	return e.Emit(ctx, tx, event)
}

// Render returns an object as receivers get it, in the transaction in which something
// happened to it: what it needs beside the row it reads by q. The root gives one for each
// kind of row.
type Render func(ctx context.Context, q storage.Querier, e Event) (Resource, error)

// The events of the first interface (wire-v1, 7). Those of runs and sessions are additions.
var StandardEvents = []string{
	"functions.builds.running", "functions.builds.completed", "functions.builds.failed",
	"functions.invocations.pending", "functions.invocations.running", "functions.invocations.completed", "functions.invocations.failed",
	"agents.runs.pending", "agents.runs.running", "agents.runs.completed", "agents.runs.failed", "agents.runs.stopped", "agents.runs.timed_out",
	"sessions.running", "sessions.completed", "sessions.error", "sessions.timed_out",
}

// PlatformEvents are those of the job platform (wire-v2, 5).
var PlatformEvents = []string{
	"ACTOR.RUN.CREATED", "ACTOR.RUN.SUCCEEDED", "ACTOR.RUN.FAILED", "ACTOR.RUN.TIMED_OUT", "ACTOR.RUN.ABORTED", "ACTOR.RUN.RESURRECTED",
	"ACTOR.BUILD.CREATED", "ACTOR.BUILD.SUCCEEDED", "ACTOR.BUILD.FAILED", "ACTOR.BUILD.TIMED_OUT", "ACTOR.BUILD.ABORTED", TestEvent,
}

// TestEvent is sent by [Service.Test] alone.
const TestEvent = "TEST"

func known(protocol Protocol, event string) bool {
	if protocol == Platform {
		return slices.Contains(PlatformEvents, event)
	}
	return slices.Contains(StandardEvents, event)
}
