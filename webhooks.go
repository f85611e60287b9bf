package drover

import (
	"context"
	"reflect"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/webhooks"
)

// renderings say how what happens is shown to receivers of webhooks: as the interface
// shows it whose events they are, by the type of the row.
func (d *Drover) renderings() map[reflect.Type]webhooks.Render {
	first := func(e webhooks.Event) (webhooks.Resource, error) { return v1json.Object(e.Row) }
	return map[reflect.Type]webhooks.Render{
		reflect.TypeFor[builds.Build]():         first, // of functions: see package builds
		reflect.TypeFor[functions.Invocation](): first,
		reflect.TypeFor[runs.Run]():             first,
		reflect.TypeFor[sessions.Session]():     first,
	}
}

// resolveCondition finds what a condition of a webhook names, by ids or names.
func (d *Drover) resolveCondition(ctx context.Context, c webhooks.Condition) (webhooks.Condition, error) {
	if c.Actor != "" {
		a, err := d.Actors.Actor(ctx, c.Actor)
		if err != nil {
			return c, err
		}
		c.Actor = a.ID
	}
	if c.Task != "" {
		t, err := d.Actors.Task(ctx, c.Task)
		if err != nil {
			return c, err
		}
		c.Task = t.ID
	}
	if c.Run != "" {
		if _, err := d.Actors.Run(ctx, c.Run); err != nil {
			return c, err
		}
	}
	return c, nil
}
