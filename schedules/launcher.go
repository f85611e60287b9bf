package schedules

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

// Launcher starts what actions of a type name. The host has one for each type.
type Launcher interface {
	// Check refuses an action that names nothing, or has an input or options that cannot
	// be: with the error types of [Service.Create]. It returns the action as it is kept,
	// with the id of what it names.
	Check(ctx context.Context, a Action) (Action, error)
	// Prepare reads what a start needs, outside of a transaction.
	Prepare(ctx context.Context, a Action, m Meta) (Launch, error)
	// Unfinished returns which runs have not ended, and are not about to be aborted.
	Unfinished(ctx context.Context, q storage.Querier, runs []string) ([]string, error)
}

// Launch is a start that is prepared. One of its functions is called, once.
type Launch interface {
	// Write makes the run and its job, and returns its id. An error of the database
	// breaks the transaction off; any other says why there is no run, and nothing has
	// been written then.
	Write(ctx context.Context, tx *storage.Tx) (runID string, err error)
	// Drop removes what Prepare has made.
	Drop(ctx context.Context)
}

// Meta says for what a run is started.
type Meta struct {
	ScheduleID, ActionID string
	// ScheduledAt is the time of the slot.
	ScheduledAt time.Time
	// Manual is whether somebody has asked for it.
	Manual bool
}
