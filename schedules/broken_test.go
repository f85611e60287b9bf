package schedules

import (
	"testing"
	"time"
)

// A zone that is there no more: the ledger says so, and a client can put it right.
func TestAZoneThatIsGone(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.sql(t, `UPDATE schedules SET settings = json_set(settings, '$.Timezone', 'Asia/Gone')`)
	w.after(t, time.Minute)
	same(t, "ledger", w.ledger(t, s), []string{"failed 00:00:00"})
	if len(w.problems) != 1 {
		t.Errorf("told of %+v", w.problems)
	}
	got, err := w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Timezone = "UTC" }})
	if err != nil || got.NextRunAt.IsZero() {
		t.Errorf("%v, due at %v", err, got.NextRunAt)
	}
}

// A schedule that cannot even be recorded holds up none that is due after it.
func TestAScheduleThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	broken := w.make(t, "* * * * *")
	w.sql(t, `CREATE TRIGGER refuse BEFORE INSERT ON schedule_slots WHEN NEW.schedule_id = '`+broken.ID+`' BEGIN SELECT RAISE(ABORT, 'refused'); END`)
	w.after(t, 0)
	w.clock.Advance(time.Minute)
	sound := w.make(t, "*/15 * * * * *")
	w.clock.Advance(30 * time.Second)
	for range 3 {
		_, err := w.fireDue(t.Context())
		t.Log(err)
	}
	same(t, "sound", w.ledger(t, sound), []string{"missed 00:00:45 caught up", "started 00:01:00 caught up"})
	if n := w.runs.prepared.Load(); n != 0 {
		t.Errorf("%d starts were neither used nor dropped", n)
	}
}
