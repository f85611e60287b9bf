package runs

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks"
)

// events are what happens to runs, by the state that they come to.
var events = map[Status]string{
	Pending: "agents.runs.pending", Running: "agents.runs.running", Completed: "agents.runs.completed",
	Failed: "agents.runs.failed", Stopped: "agents.runs.stopped", TimedOut: "agents.runs.timed_out",
}

// emit tells webhooks of a run that has come to another state.
func (s *service) emit(ctx context.Context, tx *storage.Tx, r row) error {
	return webhooks.Emit(ctx, tx, s.conf.Webhooks, webhooks.Event{
		ProjectID: r.projectID, Type: events[r.Status], Object: r.ID, At: r.UpdatedAt, Row: r.Run,
	})
}

// started tells webhooks that a run runs.
func (s *service) started(ctx context.Context, tx *storage.Tx, _, r row) error {
	return s.emit(ctx, tx, r)
}

// end writes the end of a run, and tells webhooks of it.
func (s *service) end(ctx context.Context, tx *storage.Tx, id string, e ending, now time.Time) (row, error) {
	r, err := endRun(ctx, tx, id, e, now)
	if err != nil {
		return r, err
	}
	return r, s.emit(ctx, tx, r)
}
