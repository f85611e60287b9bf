package builds

import (
	"context"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks"
)

// functionEvents are what happens to builds of functions, by the state that they come
// to: clients know four states (DECISIONS 26). There is none for builds that wait.
var functionEvents = map[Status]string{
	Running: "functions.builds.running", Succeeded: "functions.builds.completed",
	Failed: "functions.builds.failed", TimedOut: "functions.builds.failed", Aborted: "functions.builds.failed",
}

// actorEvents are what happens to builds of Actors, by the state that they come to
// (wire-v2, 5). There is none for builds that have begun.
var actorEvents = map[Status]string{
	Pending: "ACTOR.BUILD.CREATED", Succeeded: "ACTOR.BUILD.SUCCEEDED", Failed: "ACTOR.BUILD.FAILED", TimedOut: "ACTOR.BUILD.TIMED_OUT", Aborted: "ACTOR.BUILD.ABORTED",
}

// started tells webhooks that a build runs. One that starts again, because its host died
// or closed, has been told of: what was made to wait again has been changed since it was made.
func (s *service) started(ctx context.Context, tx *storage.Tx, was, r row) error {
	if !was.UpdatedAt.Equal(was.CreatedAt) {
		return nil
	}
	return s.emit(ctx, tx, r)
}

// emit tells webhooks of a build that has come to another state.
func (s *service) emit(ctx context.Context, tx *storage.Tx, r row) error {
	e := webhooks.Event{ProjectID: r.ProjectID, Type: functionEvents[r.Status], Object: r.ID, At: r.UpdatedAt, Row: r.Build}
	if r.Kind == Actor {
		e.Type, e.Actor, e.Build = actorEvents[r.Status], r.OwnerID, r.ID
	}
	if e.Type == "" {
		return nil
	}
	return webhooks.Emit(ctx, tx, s.conf.Webhooks, e)
}
