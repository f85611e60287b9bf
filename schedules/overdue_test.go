package schedules

import (
	"testing"
	"time"
)

// What is overdue of many frequent schedules is a few rows.
func TestOverdueSlotsShareRows(t *testing.T) {
	t.Parallel()
	for _, rule := range []CatchUp{CatchUpLast, CatchUpNone} {
		w := open(t, Limits{})
		s := w.make(t, "*/4 * * * * *", func(c *Create) { c.CatchUp = rule })
		w.after(t, 3*24*time.Hour)
		all := w.slots(t, s)
		if len(all) > 30 {
			t.Errorf("%s: %d rows", rule, len(all))
		}
		n := 0
		for _, o := range all {
			n += o.Count
		}
		if n != 3*24*900 {
			t.Errorf("%s: %d slots", rule, n)
		}
	}
}

// Slots that are too soon, and not between others that are missed, stay so.
func TestWhatIsTooSoonAfterDowntime(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "*/4 * * * * *")
	w.after(t, 40*time.Second)
	same(t, "ledger", w.ledger(t, s), []string{"missed 23:59:32 7 caught up", "too soon 00:00:00 2", "started 00:00:08 caught up"})
}

// A transaction has so many starts, however much is caught up.
func TestWhatIsCaughtUpComesInParts(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	all := make([]Schedule, 40)
	for i := range all {
		all[i] = w.make(t, "* * * * *", func(c *Create) { c.CatchUp = CatchUpAll })
	}
	w.clock.Advance(time.Hour)
	must(w.fireDue(t.Context()))(t)
	if n := len(w.runs.times(t, begin)); n == 0 || n > batchStarts {
		t.Errorf("%d starts in a transaction", n)
	}
	w.turn(t)
	if n := len(w.runs.times(t, begin)); n != 40*60 {
		t.Errorf("%d starts", n)
	}
}
