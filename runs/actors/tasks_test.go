package actors

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestATaskIsWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := open(t, db, Limits{})
		a := w.actor(t, "one")
		never := time.Duration(0)
		made := w.task(t, CreateTask{Actor: "~one", Name: "My-Task", TaskDetails: TaskDetails{Title: "t", Description: "d", Runs: RunOptions{Memory: 512, Timeout: &never}}, Input: []byte(`{"z":1,"a":[]}`)})
		for _, ref := range []string{made.ID, "~my-task", "default~MY-TASK"} {
			if diff := cmp.Diff(made, must(w.Task(t.Context(), ref))(t), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s:\n%s", ref, diff)
			}
		}
		if made.ActorID != a.ID || made.ActorName != "one" || string(made.Input) != `{"z":1,"a":[]}` || *made.Runs.Timeout != 0 {
			t.Errorf("%+v", made)
		}
		l := must(w.Tasks(t.Context(), Filter{}))(t)
		if l.Total != 1 || l.Items[0].Input != nil || l.Items[0].ActorName != "one" {
			t.Errorf("%+v", l)
		}
		must(0, w.DeleteTask(t.Context(), "~MY-task"))(t)
		fails(t, w.DeleteTask(t.Context(), made.ID), errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no task")
	})
}

func TestTasksThatAreGivenNoNameGetOne(t *testing.T) {
	t.Parallel()
	w := open(t, storagetest.Open(t), Limits{Tasks: 4})
	a := w.actor(t, "one")
	for _, want := range []string{"one-task", "one-task-1", "one-task-2"} {
		if got := w.task(t, CreateTask{Actor: a.ID}).Name; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	long := w.actor(t, strings.Repeat("x", 63))
	if got := w.task(t, CreateTask{Actor: long.ID}).Name; len(got) != 63 || validateName(got) != nil {
		t.Errorf("%s", got)
	}
	_, err := w.CreateTask(t.Context(), CreateTask{Actor: a.ID})
	fails(t, err, errtypes.Forbidden, errtypes.TypeTooManyActorTasks, "4 tasks")
	_, err = w.CreateTask(t.Context(), CreateTask{Actor: a.ID, Name: "ONE-task"})
	fails(t, err, errtypes.Conflict, errtypes.TypeActorTaskNameNotUnique, "ONE-task")
	_, err = w.CreateTask(w.other(t), CreateTask{Actor: a.ID})
	fails(t, err, errtypes.Invalid, "", "actId names no Actor")
}

func TestInputsOfTasksAreObjects(t *testing.T) {
	t.Parallel()
	w := open(t, storagetest.Open(t), Limits{MaxInput: 100})
	a := w.actor(t, "one")
	for _, input := range []string{"[]", `"x"`, "1", "null", "{", " "} {
		_, err := w.CreateTask(t.Context(), CreateTask{Actor: a.ID, Input: []byte(input)})
		fails(t, err, errtypes.Invalid, errtypes.TypeInvalidInput, "input must be an object")
	}
	_, err := w.CreateTask(t.Context(), CreateTask{Actor: a.ID, Input: []byte(`{"x":"` + strings.Repeat("x", 100) + `"}`)})
	fails(t, err, errtypes.TooLarge, errtypes.TypeRequestTooLarge, "100 bytes")
}

func TestTasksAreChanged(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := open(t, db, Limits{})
		a := w.actor(t, "one")
		made := w.task(t, CreateTask{Actor: a.ID, Name: "abc", Input: []byte(`{"a":1}`)})
		w.task(t, CreateTask{Actor: a.ID, Name: "taken"})
		now := must(w.UpdateTask(t.Context(), made.ID, UpdateTask{
			Name: new("def"), Change: func(d *TaskDetails) { d.Title = "T" },
			Input: func(was json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(strings.Replace(string(was), "1", `"`+strings.Repeat("x", 100_000)+`"`, 1)), nil
			},
		}))(t)
		got := must(w.Task(t.Context(), "~def"))(t)
		if diff := cmp.Diff(now, got, cmpopts.EquateEmpty()); diff != "" || got.Title != "T" || len(got.Input) < 100_000 || w.blobCount(t) != 1 {
			t.Errorf("%s", diff)
		}
		_, err := w.UpdateTask(t.Context(), made.ID, UpdateTask{Name: new("TAKEN")})
		fails(t, err, errtypes.Conflict, errtypes.TypeActorTaskNameNotUnique, "TAKEN")
		_, err = w.UpdateTask(t.Context(), made.ID, UpdateTask{Change: func(d *TaskDetails) { d.Runs.Memory = 1 }})
		fails(t, err, errtypes.Invalid, "", "memory")
		must(w.UpdateTask(t.Context(), made.ID, UpdateTask{Input: func(json.RawMessage) (json.RawMessage, error) { return nil, nil }}))(t)
		if got := must(w.Task(t.Context(), made.ID))(t); got.Input != nil || w.blobCount(t) != 0 {
			t.Errorf("%d bytes, %d blobs", len(got.Input), w.blobCount(t))
		}
		_, err = w.UpdateTask(t.Context(), "~abc", UpdateTask{})
		fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no task")
	})
}

func TestOptionsOfRunsFillOneAnother(t *testing.T) {
	t.Parallel()
	no, zero, minute := false, time.Duration(0), time.Minute
	got := RunOptions{Memory: 128, Timeout: &zero}.Or(RunOptions{Build: "beta", Memory: 512, RestartOnError: &no}).Or(RunOptions{Build: "x", Timeout: &minute, MaxItems: 3})
	if got.Build != "beta" || *got.Timeout != 0 || got.Memory != 128 || got.MaxItems != 3 || *got.RestartOnError {
		t.Errorf("%+v", got)
	}
}
