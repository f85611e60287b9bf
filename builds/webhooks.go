package builds

import (
	"context"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks"
)

// actorEvents are what happens to builds of Actors, by the state that they come to
// (wire-v2, 5). There is none for builds that have begun.
var actorEvents = map[Status]string{
	Pending: "ACTOR.BUILD.CREATED", Succeeded: "ACTOR.BUILD.SUCCEEDED", Failed: "ACTOR.BUILD.FAILED", TimedOut: "ACTOR.BUILD.TIMED_OUT", Aborted: "ACTOR.BUILD.ABORTED",
}

// emit tells webhooks of a build that has come to another state.
func (s *service) emit(ctx context.Context, tx *storage.Tx, r row) error {
	e := webhooks.Event{ProjectID: r.ProjectID, Object: r.ID, At: r.UpdatedAt, Row: r.Build}
	if r.Kind == Actor {
		e.Type, e.Actor, e.Build = actorEvents[r.Status], r.OwnerID, r.ID
	}
	if e.Type == "" {
		return nil
	}
	return webhooks.Emit(ctx, tx, s.conf.Webhooks, e)
}
