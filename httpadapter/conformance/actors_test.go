package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
)

// goActors are programs that do one thing each. Those that go on say where they are at
// work.
func goActors(atWork chan<- string) []actors.Definition {
	return []actors.Definition{
		actors.Func("echo", echo, actors.FuncOptions{}),
		actors.Func("stuck", func(ctx context.Context, a *actors.Run) error {
			a.Log("here")
			atWork <- a.ID
			return stuck(ctx, a)
		}, actors.FuncOptions{}),
		actors.Func("silent", func(context.Context, *actors.Run) error { return nil }, actors.FuncOptions{}),
		actors.Func("page", func(ctx context.Context, a *actors.Run) error {
			return a.SetRecord(ctx, "OUTPUT", "text/html; charset=utf-8", strings.NewReader("<h1>ü</h1>"))
		}, actors.FuncOptions{}),
		actors.Func("broken", func(context.Context, *actors.Run) error { return errors.New("it does not work") }, actors.FuncOptions{}),
		actors.Func("panics", func(context.Context, *actors.Run) error { panic("never mind") }, actors.FuncOptions{}),
		actors.Func("strict", echo, actors.FuncOptions{InputSchema: json.RawMessage(`{"title":"T","type":"object","schemaVersion":1,"required":["url"],"properties":{
			"url":{"title":"U","type":"string","description":"d","editor":"textfield"},
			"maxPages":{"title":"M","type":"integer","description":"d","minimum":1,"default":3}}}`)}),
	}
}

// echo puts out its input, its dataset has two items, and its log two lines.
func echo(ctx context.Context, a *actors.Run) error {
	body, kind, err := a.RawInput()
	if err != nil {
		return err
	}
	a.Log("\x1b[31mred\x1b[0m and\tplain")
	a.Log("second")
	if err := errors.Join(a.SetStatus(ctx, "echoing", false), a.Push(ctx, map[string]int{"n": 1}, map[string]any{"n": 2, "#hidden": true})); err != nil || body == nil {
		return err
	}
	return a.SetRecord(ctx, "OUTPUT", kind, strings.NewReader(string(body)))
}

// stuck goes on until it is aborted.
func stuck(ctx context.Context, a *actors.Run) error {
	for {
		select {
		case e := <-a.Events():
			switch e.Name {
			case actors.AbortRequested:
				return a.SetOutput(ctx, "aborting was heard")
			case actors.Migrating:
				return a.Reboot(ctx) // the test is over
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// withActors is a world with Go Actors, which are run.
func withActors(t *testing.T) *world {
	return actorsWorld(t, config{more: func(o *drover.Options) { o.ActorLimits.MaxMemory = 768 }})
}

func actorsWorld(t testing.TB, c config) *world {
	t.Helper()
	more, atWork := c.more, make(chan string, 100)
	c.workers, c.more = drover.WorkersAlways, func(o *drover.Options) {
		o.Actors = goActors(atWork)
		if more != nil {
			more(o)
		}
	}
	w := build(t, c)
	w.atWork = atWork
	return w
}

// waitForWork waits until a process of a run that goes on is at work; those that were
// before are passed over.
func (w *world) waitForWork(ctx context.Context, t testing.TB, id string) {
	t.Helper()
	for {
		select {
		case at := <-w.atWork:
			if at == id {
				return
			}
		case <-ctx.Done():
			t.Fatal("the run is not at work")
		}
	}
}

// waitForActors waits until no run of an Actor goes on.
func (w *world) waitForActors(ctx context.Context, t testing.TB) {
	t.Helper()
	going := must(w.Actors.Runs(ctx, actors.RunFilter{Statuses: []actors.Status{actors.Ready, actors.Running}}))(t)
	for _, r := range going.Items {
		must(w.Actors.Wait(ctx, r.ID, -1))(t)
	}
}
