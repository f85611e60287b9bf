package functions

import (
	"context"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks"
)

// events are what happens to invocations, by the state that they come to.
var events = map[Status]string{
	Pending: "functions.invocations.pending", Running: "functions.invocations.running",
	Completed: "functions.invocations.completed", Failed: "functions.invocations.failed",
}

// emit tells webhooks of an invocation that has come to another state.
func (s *service) emit(ctx context.Context, tx *storage.Tx, inv Invocation) error {
	return webhooks.Emit(ctx, tx, s.conf.Webhooks, webhooks.Event{
		ProjectID: inv.ProjectID, Type: events[inv.Status], Object: inv.ID, At: inv.UpdatedAt, Row: inv,
	})
}

// started tells webhooks that an invocation runs.
func (s *service) started(ctx context.Context, tx *storage.Tx, _, r row) error {
	return s.emit(ctx, tx, r.Invocation)
}
