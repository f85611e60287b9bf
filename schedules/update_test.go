package schedules

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// A change and a slot at the same time: both become what they are to be.
func TestAScheduleIsChangedWhileItFires(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.clock.Advance(time.Minute)
	calls := 0
	got := must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) {
		if calls++; calls == 1 {
			w.turn(t)
		}
		c.Title = "Other"
	}}))(t)
	if want := begin.Add(90 * time.Second); got.Title != "Other" || !got.NextRunAt.Equal(want) {
		t.Errorf("%q, due at %v, want %v", got.Title, got.NextRunAt, want)
	}
	same(t, "ledger", w.ledger(t, s), []string{"started 00:00:00"})
}

// A title has nothing to do with when a schedule is due.
func TestAChangeLosesNoSlot(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.clock.Advance(30*time.Second + time.Millisecond) // due, and not decided yet
	must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Title = "Other" }}))(t)
	w.turn(t)
	w.clock.Advance(time.Minute)
	must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Cron = "0 * * * *" }}))(t)
	w.turn(t)
	w.clock.Advance(59 * time.Minute)
	must(w.Update(t.Context(), s.ID, Update{Actions: &[]Action{{Type: RunActor, Target: "other"}}}))(t)
	w.turn(t)
	same(t, "ledger", w.ledger(t, s), []string{"started 00:00:00", "started 00:01:00", "started 01:00:00"})
}

// What is paused starts nothing any more, not even what was due a moment ago.
func TestAPauseStartsNothing(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.clock.Advance(31 * time.Second)
	must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Enabled = false }}))(t)
	w.turn(t)
	same(t, "ledger", w.ledger(t, s), []string{"missed 00:00:00"})
}

// A schedule that was disabled for long has all of that in its ledger.
func TestAScheduleThatIsPausedForLong(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * * *", func(c *Create) { c.Enabled = false })
	w.clock.Advance(72 * time.Hour)
	must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Enabled = true }}))(t)
	n := 0
	for _, o := range w.slots(t, s) {
		n += o.Count
	}
	if n != 72*3600 {
		t.Errorf("%d slots", n)
	}
}

// Two actions that a client gives the same id are two.
func TestActionsWithTheSameID(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	one := s.Actions[0]
	two := one
	two.Target = "second"
	must(w.Update(t.Context(), s.ID, Update{Actions: &[]Action{one, two}}))(t)
	if got := must(w.Get(t.Context(), s.ID))(t); len(got.Actions) != 2 {
		t.Errorf("%+v", got.Actions)
	}
}

// What is deleted with its actions after a start was prepared is not started.
func TestAnActionGoesWhileItFires(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *", func(c *Create) { c.Actions = append(c.Actions, Action{Type: RunActor, Target: "goes"}) })
	w.clock.Advance(time.Minute)
	turn := turn{service: w.service, now: w.now(), projects: map[string]projects.Project{}}
	rows := must(storage.ReadOne(t.Context(), w.db, func(ctx context.Context, q storage.Querier) ([]row, error) { return dueBefore(ctx, q, w.now(), 1) }))(t)
	b := turn.prepareBatch(t.Context(), rows)
	must(0, b.err)(t)
	w.sql(t, `DELETE FROM schedule_actions WHERE target = 'goes'`) // as the trigger of an Actor does
	must(0, w.record(t.Context(), b.all))(t)
	w.turn(t)
	if all := w.slots(t, s); len(all) != 1 || all[0].Target != "actor" || all[0].Outcome != Started {
		t.Errorf("%+v", all)
	}
	if n := w.runs.prepared.Load(); n != 0 {
		t.Errorf("%d starts were neither used nor dropped", n)
	}
}
