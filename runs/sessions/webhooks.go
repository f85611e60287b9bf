package sessions

import (
	"context"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks"
)

// events are what happens to sessions, by the state that they come to. There is none for
// sessions that are being opened: who asked for one has no id yet.
var events = map[Status]string{
	Running: "sessions.running", Completed: "sessions.completed", Failed: "sessions.error", TimedOut: "sessions.timed_out",
}

// emit tells webhooks of a session that has come to another state: of what is stored of it,
// so that nothing that opens it is told.
func (s *service) emit(ctx context.Context, tx *storage.Tx, r row) error {
	return webhooks.Emit(ctx, tx, s.conf.Webhooks, webhooks.Event{
		ProjectID: r.ProjectID, Type: events[r.Status], Object: r.ID, At: r.UpdatedAt, Row: r.Session,
	})
}

// endIn writes the end of an open session in a transaction, and tells who waits for it, and
// webhooks. [storage.ErrNoRow] says that it has ended.
func (s *service) endIn(ctx context.Context, tx *storage.Tx, id string, e ending, left remains) (row, error) {
	r, err := endSession(ctx, tx, id, e, left, s.now())
	if err != nil {
		return r, err
	}
	s.changed(tx, id)
	return r, s.emit(ctx, tx, r)
}
