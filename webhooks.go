package drover

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/runs/actors/platform"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks"
)

// publicURL is Options.PublicURL without a slash at its end.
func (d *Drover) publicURL() string { return strings.TrimSuffix(d.opts.PublicURL, "/") }

// renderings say how what happens is shown to receivers of webhooks: as the interface
// shows it whose events they are, by the type of the row.
func (d *Drover) renderings() map[reflect.Type]webhooks.Render {
	shown := platform.NewRenderer(d.publicURL())
	first := func(_ context.Context, _ storage.Querier, e webhooks.Event) (webhooks.Resource, error) {
		return v1json.Object(e.Row)
	}
	return map[reflect.Type]webhooks.Render{
		reflect.TypeFor[functions.Invocation](): first,
		reflect.TypeFor[runs.Run]():             first,
		reflect.TypeFor[sessions.Session]():     first,
		reflect.TypeFor[actors.RunInfo](): func(ctx context.Context, q storage.Querier, e webhooks.Event) (webhooks.Resource, error) {
			return shown.Run(e.UserID, e.Row.(actors.RunInfo), func(build string) (json.RawMessage, error) { return d.Actors.Definition(ctx, q, build) })
		},
		reflect.TypeFor[builds.Build](): func(ctx context.Context, q storage.Querier, e webhooks.Event) (webhooks.Resource, error) {
			row := e.Row.(builds.Build)
			if row.Kind == builds.Function {
				return v1json.Object(row)
			}
			b, err := d.Actors.BuildOf(ctx, q, row)
			if err != nil {
				return nil, err
			}
			return shown.Build(e.UserID, b)
		},
	}
}

// endedRun returns the event with which a run of an Actor has ended.
func (d *Drover) endedRun(ctx context.Context, q storage.Querier, projectID, run string) (webhooks.Event, bool, error) {
	return d.Actors.EndOf(ctx, q, projectID, run)
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
