package drover

import (
	"bytes"
	"context"
	"encoding/json"
	"mime"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage"
)

// launchers start what schedules name.
func (d *Drover) launchers() map[schedules.ActionType]schedules.Launcher {
	return map[schedules.ActionType]schedules.Launcher{
		schedules.RunActor:       actorLauncher{d.Actors},
		schedules.RunActorTask:   taskLauncher{d.Actors},
		schedules.RunAgent:       agentLauncher{d.Runs},
		schedules.InvokeFunction: functionLauncher{d.Functions},
	}
}

// launch is a start of any domain.
type launch struct {
	write func(ctx context.Context, tx *storage.Tx) (string, error)
	drop  func(ctx context.Context)
}

func (l launch) Write(ctx context.Context, tx *storage.Tx) (string, error) { return l.write(ctx, tx) }

func (l launch) Drop(ctx context.Context) {
	if l.drop != nil {
		l.drop(ctx)
	}
}

func launchRun(l *actors.Launch, err error) (schedules.Launch, error) {
	if err != nil {
		return nil, err
	}
	write := func(ctx context.Context, tx *storage.Tx) (string, error) {
		r, err := l.Write(ctx, tx)
		return r.ID, err
	}
	return launch{write, l.Drop}, nil
}

// startOf is how a schedule starts a run.
func startOf(a schedules.Action, m schedules.Meta) actors.Start {
	in := actors.Start{Options: optionsOf(a), Meta: actors.Meta{
		Origin: "SCHEDULER", Slot: &actors.Slot{ScheduleID: m.ScheduleID, ActionID: m.ActionID, ScheduledAt: m.ScheduledAt},
	}}
	if a.Input != nil {
		in.Input = &actors.Input{Body: a.Input.Body, ContentType: a.Input.ContentType}
	}
	return in
}

func optionsOf(a schedules.Action) actors.RunOptions {
	o := a.Options
	return actors.RunOptions{
		Build: o.Build, Timeout: o.Timeout, Memory: o.Memory, MaxItems: o.MaxItems, MaxTotalCharge: o.MaxTotalCharge, RestartOnError: o.RestartOnError,
	}
}

type actorLauncher struct{ actors.Service }

func (l actorLauncher) Check(ctx context.Context, a schedules.Action) (schedules.Action, error) {
	found, err := l.Actor(ctx, a.Target)
	if errtypes.Is(err, errtypes.NotFound) {
		return a, errtypes.OfType(errtypes.TypeScheduleActorNotFound, "Actor with ID %q not found", a.Target)
	}
	if err != nil {
		return a, err
	}
	a.Target = found.ID
	if a.Input != nil && isJSON(a.Input.ContentType) && !json.Valid(a.Input.Body) {
		return a, errtypes.OfType(errtypes.TypeRunInputBodyNotValidJson, "The runInput.body is not valid JSON.")
	}
	return a, optionsOf(a).Validate()
}

// isJSON is whether an input is JSON, as it is where nobody says.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

func (l actorLauncher) Prepare(ctx context.Context, a schedules.Action, m schedules.Meta) (schedules.Launch, error) {
	return launchRun(l.PrepareStart(ctx, a.Target, startOf(a, m)))
}

type taskLauncher struct{ actors.Service }

func (l taskLauncher) Check(ctx context.Context, a schedules.Action) (schedules.Action, error) {
	found, err := l.Task(ctx, a.Target)
	if errtypes.Is(err, errtypes.NotFound) {
		return a, errtypes.OfType(errtypes.TypeScheduleActorTaskNotFound, "Actor task with ID %q not found", a.Target)
	}
	if err != nil {
		return a, err
	}
	a.Target = found.ID
	if a.Input != nil && !isObject(a.Input.Body) {
		return a, errtypes.Field("input", "must be an object in JSON").WithType(errtypes.TypeSchemaValidation)
	}
	return a, optionsOf(a).Validate()
}

func isObject(body []byte) bool {
	return json.Valid(body) && bytes.HasPrefix(bytes.TrimSpace(body), []byte("{"))
}

func (l taskLauncher) Prepare(ctx context.Context, a schedules.Action, m schedules.Meta) (schedules.Launch, error) {
	return launchRun(l.PrepareStartTask(ctx, a.Target, startOf(a, m)))
}

type agentLauncher struct{ runs.Service }

func (l agentLauncher) Check(ctx context.Context, a schedules.Action) (schedules.Action, error) {
	if a.Input == nil {
		return a, errtypes.Field("input", "is required: the task of the agent, in words")
	}
	if a.Options != (schedules.RunOptions{}) {
		return a, errtypes.Field("options", "are of Actors: an agent has none")
	}
	_, err := l.PrepareCreate(ctx, createOf(a))
	return a, err
}

func createOf(a schedules.Action) runs.Create {
	return runs.Create{AgentID: a.Target, Task: string(a.Input.Body)}
}

func (l agentLauncher) Prepare(ctx context.Context, a schedules.Action, _ schedules.Meta) (schedules.Launch, error) {
	prepared, err := l.PrepareCreate(ctx, createOf(a))
	if err != nil {
		return nil, err
	}
	return launch{write: func(ctx context.Context, tx *storage.Tx) (string, error) {
		r, err := prepared.Write(ctx, tx)
		return r.ID, err
	}}, nil
}

type functionLauncher struct{ functions.Service }

func (l functionLauncher) Check(ctx context.Context, a schedules.Action) (schedules.Action, error) {
	if a.Options != (schedules.RunOptions{Timeout: a.Options.Timeout}) {
		return a, errtypes.Field("options", "of a function are its timeout alone")
	}
	f, err := l.Get(ctx, a.Target)
	if err != nil {
		return a, err
	}
	a.Target = f.Name
	_, err = l.PrepareInvoke(ctx, a.Target, invokeOf(a))
	return a, err
}

func invokeOf(a schedules.Action) (in functions.Invoke) {
	if a.Input != nil {
		in.Params = a.Input.Body
	}
	if a.Options.Timeout != nil {
		in.Timeout = *a.Options.Timeout
	}
	return in
}

func (l functionLauncher) Prepare(ctx context.Context, a schedules.Action, _ schedules.Meta) (schedules.Launch, error) {
	prepared, err := l.PrepareInvoke(ctx, a.Target, invokeOf(a))
	if err != nil {
		return nil, err
	}
	return launch{write: func(ctx context.Context, tx *storage.Tx) (string, error) {
		v, err := prepared.Write(ctx, tx)
		return v.ID, err
	}}, nil
}
