package schedules

import (
	"testing"
	"time"
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
