package actors

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// A part of a list of runs between two times is what a walk over the whole list finds.
func TestRunsBetweenTimes(t *testing.T) {
	t.Parallel()
	w := startOn(t, storagetest.Open(t), setup{actors: []Definition{echo}, idle: true})
	fill(t, w, 3000)
	from := w.every(t)[0].StartedAt
	// Some were asked for at the same time, and some are gone.
	if err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE actor_runs SET created_at = $1 WHERE number BETWEEN 1000 AND 1030`, storage.Millis(from)+1000)
		if err == nil {
			_, err = tx.Exec(ctx, `DELETE FROM actor_runs WHERE number % 7 = 0 OR number BETWEEN 1500 AND 2200`)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	all := w.every(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		f := RunFilter{Filter: Filter{Offset: random.IntN(2) * random.IntN(1500), Limit: 1 + random.IntN(1000), Desc: random.IntN(2) == 0}}
		if random.IntN(3) > 0 {
			f.StartedAfter = from.Add(time.Duration(random.IntN(3200)-100) * time.Millisecond)
		}
		if random.IntN(3) > 0 {
			f.StartedBefore = from.Add(time.Duration(random.IntN(3200)-100) * time.Millisecond)
		}
		if random.IntN(2) == 0 {
			f.Statuses = []Status{Failed}
		}
		if random.IntN(2) == 0 {
			f.Actor = "~echo"
		}
		want := slices.DeleteFunc(slices.Clone(all), func(r RunInfo) bool {
			return !f.StartedAfter.IsZero() && r.StartedAt.Before(f.StartedAfter) || !f.StartedBefore.IsZero() && r.StartedAt.After(f.StartedBefore) ||
				f.Statuses != nil && r.Status != Failed
		})
		total := len(want)
		if f.Desc {
			slices.Reverse(want)
		}
		want = want[min(f.Offset, total):]
		want = want[:min(f.Limit, len(want))]
		l := must(w.Runs(t.Context(), f))(t)
		if l.Total != total || !slices.EqualFunc(l.Items, want, func(a, b RunInfo) bool { return a.ID == b.ID }) {
			t.Fatalf("%+v: %d of %d, want %d of %d", f, len(l.Items), l.Total, len(want), total)
		}
	}
}

// every reads the whole list of runs.
func (w *world) every(t testing.TB) (all []RunInfo) {
	t.Helper()
	for {
		l := must(w.Runs(t.Context(), RunFilter{Filter: Filter{Offset: len(all)}}))(t)
		if all = append(all, l.Items...); len(l.Items) == 0 {
			return all
		}
	}
}

// Runs are in the order of their times, whatever the clock says.
func TestRunsStayInTheirOrderWhateverTheClockSays(t *testing.T) {
	t.Parallel()
	w := startOn(t, storagetest.Open(t), setup{actors: []Definition{echo}, idle: true})
	first := must(w.Start(t.Context(), "~echo", Start{}))(t)
	ahead := storage.Millis(time.Now().Add(time.Hour))
	if err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE actor_runs SET created_at = $2 WHERE id = $1`, first.ID, ahead)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	second := must(w.Start(t.Context(), "~echo", Start{}))(t)
	if storage.Millis(second.StartedAt) != ahead {
		t.Errorf("%v", second.StartedAt)
	}
	if again := must(w.Run(t.Context(), second.ID))(t); !again.StartedAt.Equal(second.StartedAt) {
		t.Errorf("%v is not %v", again.StartedAt, second.StartedAt)
	}
}

func TestActorsAndTasksCountTheirRuns(t *testing.T) {
	t.Parallel()
	silent := Func("silent", func(context.Context, *Run) error { return nil }, FuncOptions{})
	w := startOn(t, storagetest.Open(t), setup{actors: []Definition{echo, silent}, idle: true})
	must(w.CreateTask(t.Context(), CreateTask{Actor: "~echo", Name: "task"}))(t)
	must(w.CreateActor(t.Context(), CreateActor{Name: "never"}))(t)
	first := must(w.Start(t.Context(), "~silent", Start{}))(t)
	for time.Since(first.StartedAt) < 2*time.Millisecond { // at another time
		runtime.Gosched()
	}
	must(w.Start(t.Context(), "~echo", Start{}))(t)
	last := must(w.StartTask(t.Context(), "~task", Start{}))(t)
	a := must(w.Actor(t.Context(), "~echo"))(t)
	if a.Stats != (ActorStats{Runs: 2, LastRunAt: last.StartedAt}) {
		t.Errorf("%+v", a.Stats)
	}
	if task := must(w.Task(t.Context(), "~task"))(t); task.TotalRuns != 1 {
		t.Error(task.TotalRuns)
	}
	must(w.Abort(t.Context(), last.ID, false))(t)
	if err := w.DeleteRun(t.Context(), last.ID); err != nil {
		t.Fatal(err)
	}
	if a := must(w.Actor(t.Context(), "~echo"))(t); a.Stats.Runs != 2 {
		t.Errorf("one that was deleted does not count: %+v", a.Stats)
	}
	l := must(w.Actors(t.Context(), Filter{Order: ByLastRun}))(t)
	if got := namesOf(l.Items); !slices.Equal(got, []string{"never", "silent", "echo"}) {
		t.Error(got)
	}
	l = must(w.Actors(t.Context(), Filter{Order: ByLastRun, Desc: true, Limit: 1, Offset: 1}))(t)
	if got := namesOf(l.Items); !slices.Equal(got, []string{"silent"}) || l.Total != 3 {
		t.Error(got, l.Total)
	}
}

func namesOf(all []Actor) (names []string) {
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names
}
