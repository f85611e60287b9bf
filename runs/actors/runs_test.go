package actors

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/storagetest"
)

// echo puts out its input.
var echo = Func("echo", func(ctx context.Context, a *Run) error {
	var in json.RawMessage
	if err := a.Input(&in); err != nil {
		return err
	}
	return a.SetOutput(ctx, in)
}, FuncOptions{Title: "Echo"})

func input(text string) *Input { return &Input{Body: []byte(text)} }

func TestAGoActorIsRun(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		work := Func("Work", func(ctx context.Context, a *Run) error {
			var in struct{ Name string }
			if err := a.Input(&in); err != nil {
				return err
			}
			a.Logger().Info("hello", "name", in.Name)
			a.Log("a line")
			if err := errors.Join(a.SetStatus(ctx, "half way", false), a.Push(ctx, map[string]string{"name": in.Name}, map[string]int{"n": 2})); err != nil {
				return err
			}
			var state map[string]int
			if found, err := a.Value(ctx, "STATE", &state); found || err != nil {
				t.Errorf("%v %v", found, err)
			}
			if err := a.SetValue(ctx, "STATE", map[string]int{"a": 1}); err != nil {
				return err
			}
			if found, err := a.Value(ctx, "STATE", &state); !found || err != nil || state["a"] != 1 {
				t.Errorf("%v %v %v", state, found, err)
			}
			return a.SetRecord(ctx, "OUTPUT", "text/html", strings.NewReader("<b>"+in.Name))
		}, FuncOptions{})
		w := startOn(t, db, setup{actors: []Definition{work}})
		r := w.run(t, "~work", Start{Input: input(`{"name":"Ann"}`), Meta: Meta{UserAgent: "test"}})
		a := must(w.Actor(t.Context(), "~work"))(t)
		no, minutes := false, 300*time.Second
		want := RunInfo{
			ActorID: a.ID, ProgramID: a.ID, BuildID: a.ID, BuildNumber: "0.0.1", Status: Succeeded, StatusMessage: "Actor finished with exit code 0", ExitCode: new(0),
			Options: RunOptions{Build: "latest", Timeout: &minutes, Memory: 128, RestartOnError: &no}, Meta: Meta{Origin: "API", UserAgent: "test"}, InputKey: "INPUT",
			Stats: RunStats{InputBytes: 14},
		}
		if diff := cmp.Diff(want, r, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(RunInfo{}, "ID", "ProjectID", "KeyValueStoreID", "DatasetID", "RequestQueueID", "StartedAt", "FinishedAt"), cmpopts.IgnoreFields(RunStats{}, "TimedFrom", "RunTime")); diff != "" {
			t.Error(diff)
		}
		if got := w.output(t, r); got != "<b>Ann" {
			t.Error(got)
		}
		if st := must(w.records.Get(t.Context(), records.Dataset, r.DatasetID))(t); st.Items != 2 || st.ActRunID != r.ID {
			t.Errorf("%+v", st)
		}
		if got := w.logged(t, r.ID); got != "level=INFO msg=hello name=Ann\na line\n" {
			t.Error(got)
		}
		if got := w.value(t, r, "INPUT"); got != `{"name":"Ann"}` {
			t.Error(got)
		}
	})
}

func TestGoActorsAreThoseOfEveryProject(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	w := startOn(t, db, setup{actors: []Definition{echo}})
	other := w.other(t)
	l := must(w.Actors(other, Filter{}))(t)
	if l.Total != 1 || l.Items[0].Name != "echo" || !l.Items[0].Registered || l.Items[0].Title != "Echo" || l.Items[0].Runs.Memory != 128 {
		t.Fatalf("%+v", l)
	}
	mine := must(w.Actor(t.Context(), "~ECHO"))(t)
	if mine.ID == l.Items[0].ID {
		t.Error("they are the same")
	}
	_, err := w.Start(other, mine.ID, Start{})
	fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no Actor")
	fails(t, w.DeleteActor(t.Context(), mine.ID), errtypes.Conflict, "", "registered by the host")
	_, err = w.UpdateActor(t.Context(), mine.ID, UpdateActor{Name: new("other")})
	fails(t, err, errtypes.Conflict, "", "registered by the host")
	_, err = w.CreateVersion(t.Context(), mine.ID, Version{Number: "0.1"})
	fails(t, err, errtypes.Conflict, "", "registered by the host")
}

func TestTheLastRun(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		broken := Func("broken", func(context.Context, *Run) error { return errors.New("no") }, FuncOptions{})
		w := startOn(t, db, setup{actors: []Definition{echo, broken}})
		must(w.CreateTask(t.Context(), CreateTask{Actor: "~echo", Name: "task"}))(t)
		if _, err := w.LastRun(t.Context(), RunFilter{Actor: "~echo"}, ""); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("of none: %v", err)
		}
		first := w.run(t, "~echo", Start{Meta: Meta{Origin: "CLI"}})
		second := w.run(t, "~echo", Start{})
		failed := w.run(t, "~broken", Start{})
		for _, c := range []struct {
			f      RunFilter
			origin string
			want   string
		}{
			{RunFilter{Actor: "~echo"}, "", second.ID},
			{RunFilter{Actor: "~echo"}, "CLI", first.ID},
			{RunFilter{Actor: "~echo"}, "WEB", ""},
			{RunFilter{Actor: "~echo", Statuses: []Status{Failed}}, "", ""},
			{RunFilter{Actor: "~broken", Statuses: []Status{Succeeded, Failed}}, "API", failed.ID},
			{RunFilter{}, "", failed.ID},
			{RunFilter{Task: "~task"}, "", ""},
		} {
			got, err := w.LastRun(t.Context(), c.f, c.origin)
			if got.ID != c.want || (err == nil) != (c.want != "") || err != nil && !errtypes.Is(err, errtypes.NotFound) {
				t.Errorf("%+v %s: %s, %v; want %s", c.f, c.origin, got.ID, err, c.want)
			}
		}
		if _, err := w.RunSync(t.Context(), "~echo", Start{}, "a/b"); errtypes.Public(err).Type != errtypes.TypeInvalidRecordKey {
			t.Errorf("a key that no record has: %v", err)
		}
	})
}
