package drover_test

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
)

// greet is an Actor that puts its input out.
var greet = actors.Func("greet", func(ctx context.Context, a *actors.Run) error {
	var in map[string]any
	if err := a.Input(&in); err != nil {
		return err
	}
	return a.SetOutput(ctx, in)
}, actors.FuncOptions{})

var double = functions.Typed("double", func(_ context.Context, _ *functions.Invocation, n struct {
	N int `json:"n"`
}) (int, error) {
	return 2 * n.N, nil
}, functions.FuncOptions{})

// Schedules start Actors, tasks, agents and functions, each with its input, and a run says
// which slot it is of.
func TestWhatSchedulesStart(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d := drovertest.New(t, drover.Options{Actors: []actors.Definition{greet}, Functions: []functions.Definition{double}, Workers: drover.WorkersNever})
	task, err := d.Actors.CreateTask(ctx, actors.CreateTask{Actor: "~greet", Name: "greet-all", Input: []byte(`{"a": 1, "b": 1}`)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Schedules.Create(ctx, schedules.Create{Name: "all", Actions: []schedules.Action{
		{Type: schedules.InvokeFunction, Target: "double", Input: &schedules.Input{Body: []byte(`{"n": 21}`)}},
		{Type: schedules.RunAgent, Input: &schedules.Input{Body: []byte("Go to example.com")}},
		{Type: schedules.RunActorTask, Target: "~greet-all", Input: &schedules.Input{Body: []byte(`{"b": 2}`)}},
		{Type: schedules.RunActor, Target: "~greet", Input: &schedules.Input{Body: []byte(`{"c": 3}`), ContentType: "application/json"}, Options: schedules.RunOptions{Memory: 256}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	slots, err := d.Schedules.Invoke(ctx, s.ID)
	if err != nil || len(slots) != 4 {
		t.Fatalf("%+v %v", slots, err)
	}
	for i, o := range slots {
		if o.Outcome != schedules.Started || o.RunID == "" || o.ActionID != s.Actions[i].ID || !o.Manual {
			t.Errorf("%+v", o)
		}
	}
	r, err := d.Actors.Run(ctx, slots[0].RunID)
	if err != nil || r.Meta.Origin != "SCHEDULER" || r.Meta.Slot == nil || r.Meta.Slot.ScheduleID != s.ID || r.Meta.Slot.ActionID != s.Actions[0].ID ||
		!r.Meta.Slot.ScheduledAt.Equal(slots[0].At) || r.Options.Memory != 256 {
		t.Errorf("%+v %+v %v", r, r.Meta.Slot, err)
	}
	if r, err = d.Actors.Run(ctx, slots[1].RunID); err != nil || r.TaskID != task.ID {
		t.Errorf("%+v %v", r, err)
	}
	if agent, err := d.Runs.Get(ctx, slots[2].RunID); err != nil || agent.Task != "Go to example.com" {
		t.Errorf("%+v %v", agent, err)
	}
	if inv, err := d.Functions.Invocation(ctx, slots[3].RunID); err != nil || string(inv.Params) != `{"n":21}` {
		t.Errorf("%s %v", inv.Params, err)
	}
}

// An exclusive action is not started beside itself, whatever it starts.
func TestExclusiveSchedules(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d := drovertest.New(t, drover.Options{Actors: []actors.Definition{greet}, Functions: []functions.Definition{double}, Workers: drover.WorkersNever})
	for _, a := range []schedules.Action{
		{Type: schedules.InvokeFunction, Target: "double", Input: &schedules.Input{Body: []byte(`{"n": 21}`)}},
		{Type: schedules.RunAgent, Input: &schedules.Input{Body: []byte("Go to example.com")}},
		{Type: schedules.RunActor, Target: "~greet"},
	} {
		s, err := d.Schedules.Create(ctx, schedules.Create{Actions: []schedules.Action{a}})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []schedules.Outcome{schedules.Started, schedules.Skipped} {
			slots, err := d.Schedules.Invoke(ctx, s.ID)
			if err != nil || len(slots) != 1 || slots[0].Outcome != want {
				t.Errorf("%s %d: %+v %v", a.Type, i, slots, err)
			}
		}
	}
}

func TestActionsThatCannotBeScheduled(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d := drovertest.New(t, drover.Options{Actors: []actors.Definition{greet}, Functions: []functions.Definition{double}, Workers: drover.WorkersNever})
	if _, err := d.Actors.CreateTask(ctx, actors.CreateTask{Actor: "~greet", Name: "greet-all"}); err != nil {
		t.Fatal(err)
	}
	input := func(text string) *schedules.Input { return &schedules.Input{Body: []byte(text)} }
	minute := time.Minute
	for name, c := range map[string]struct {
		action schedules.Action
		kind   errtypes.Kind
		typ    errtypes.Type
	}{
		"no Actor":           {schedules.Action{Type: schedules.RunActor, Target: "nobody"}, errtypes.NotFound, errtypes.TypeScheduleActorNotFound},
		"no task":            {schedules.Action{Type: schedules.RunActorTask, Target: "nobody"}, errtypes.NotFound, errtypes.TypeScheduleActorTaskNotFound},
		"no agent":           {schedules.Action{Type: schedules.RunAgent, Target: "nobody", Input: input("Go")}, errtypes.Invalid, ""},
		"no words":           {schedules.Action{Type: schedules.RunAgent}, errtypes.Invalid, ""},
		"options of agents":  {schedules.Action{Type: schedules.RunAgent, Input: input("Go"), Options: schedules.RunOptions{Memory: 128}}, errtypes.Invalid, ""},
		"no function":        {schedules.Action{Type: schedules.InvokeFunction, Target: "nobody"}, errtypes.NotFound, ""},
		"params":             {schedules.Action{Type: schedules.InvokeFunction, Target: "double", Input: input(`{"n": "x"}`)}, errtypes.Invalid, ""},
		"options":            {schedules.Action{Type: schedules.InvokeFunction, Target: "double", Options: schedules.RunOptions{Timeout: &minute, Memory: 128}}, errtypes.Invalid, ""},
		"body is no JSON":    {schedules.Action{Type: schedules.RunActor, Target: "~greet", Input: input(`{`)}, errtypes.Invalid, errtypes.TypeRunInputBodyNotValidJson},
		"input is no object": {schedules.Action{Type: schedules.RunActorTask, Target: "~greet-all", Input: input(`[]`)}, errtypes.Invalid, errtypes.TypeSchemaValidation},
		"memory":             {schedules.Action{Type: schedules.RunActor, Target: "~greet", Options: schedules.RunOptions{Memory: 129}}, errtypes.Invalid, ""},
		"type":               {schedules.Action{Type: "DANCE"}, errtypes.Invalid, errtypes.TypeSchemaValidation},
	} {
		_, err := d.Schedules.Create(ctx, schedules.Create{Actions: []schedules.Action{c.action}})
		if !errtypes.Is(err, c.kind) || c.typ != "" && errtypes.Public(err).Type != c.typ {
			t.Errorf("%s: %v (%v)", name, err, errtypes.Public(err).Type)
		}
	}
}

// A Drover that comes and goes makes schedules; the one that serves fires them.
func TestASchedulerIsStartedWhenThereIsOne(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	clock := drovertest.NewClock(time.Date(2026, 3, 1, 11, 30, 0, 0, time.UTC))
	d := drovertest.New(t, drover.Options{Actors: []actors.Definition{greet}, Clock: clock})
	s, err := d.Schedules.Create(ctx, schedules.Create{
		Settings: schedules.Settings{Cron: "0 12 * * *", Enabled: true},
		Actions:  []schedules.Action{{Type: schedules.RunActor, Target: "~greet", Input: &schedules.Input{Body: []byte(`{"at": "noon"}`)}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(s.NextRunAt.Sub(clock.Now()))
	var slots []schedules.Slot
	for len(slots) == 0 {
		time.Sleep(10 * time.Millisecond)
		l, err := d.Schedules.Slots(ctx, s.ID, schedules.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		slots = l.Items
	}
	if r, err := d.Actors.Wait(ctx, slots[0].RunID, -1); err != nil || r.Status != actors.Succeeded {
		t.Errorf("%+v %v", r, err)
	}
	if o := slots[0]; o.At.Hour() != 12 || o.Late > time.Minute || o.Count != 1 {
		t.Errorf("%+v", o)
	}
}
