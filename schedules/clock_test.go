package schedules

import (
	"context"
	"testing"
	"time"
)

// The clock was wrong while the process ran, and is right when the next one starts.
func TestTheClockIsPutBackBetweenProcesses(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "0 0 * * *")
	off := w.make(t, "0 0 * * *", func(c *Create) { c.Enabled = false })
	w.after(t, 10*365*24*time.Hour)
	must(w.Update(t.Context(), off.ID, Update{Change: func(c *Settings) { c.Title = "Other" }}))(t)
	w.clock.Advance(-10 * 365 * 24 * time.Hour)
	must(0, w.Start(t.Context()))(t)
	defer w.Close(context.Background())
	w.clock.WaitForTimers(1)
	due := must(w.Get(t.Context(), s.ID))(t).NextRunAt
	if want := begin.Add(30 * time.Second); !due.Equal(want) {
		t.Errorf("due at %v, want %v", due, want)
	}
	got := must(w.Update(t.Context(), off.ID, Update{Change: func(c *Settings) { c.Enabled = true }}))(t)
	if want := begin.Add(30 * time.Second); !got.NextRunAt.Equal(want) {
		t.Errorf("enabled: due at %v, want %v", got.NextRunAt, want)
	}
}

// A slot that was started by a clock that was wrong is not in the way of a change.
func TestAChangeAfterTheClockWasPutBack(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	enable := func(on bool) {
		must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Enabled = on }}))(t)
	}
	for range 5 {
		w.after(t, time.Minute)
	}
	w.clock.Advance(-4*time.Minute - 30*time.Second) // 00:00:00
	enable(false)
	w.clock.Advance(6 * time.Minute)
	enable(true)
	same(t, "ledger", w.ledger(t, s), []string{
		"started 00:00:00", "started 00:01:00", "started 00:02:00", "started 00:03:00", "started 00:04:00", "disabled 00:05:00 2",
	})
}

// A zone that cannot be read keeps no other schedule silent.
func TestTheClockIsPutBackBesideAZoneThatIsGone(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	gone, s := w.make(t, "* * * * *"), w.make(t, "* * * * *")
	w.after(t, 24*time.Hour)
	w.sql(t, `UPDATE schedules SET settings = json_set(settings, '$.Timezone', 'Asia/Gone') WHERE id = $1`, gone.ID)
	w.clock.Advance(-24 * time.Hour)
	must(0, w.rewind(t.Context(), w.now(), w.now()))(t)
	if due := must(w.Get(t.Context(), s.ID))(t).NextRunAt; !due.Equal(begin.Add(30 * time.Second)) {
		t.Errorf("due at %v", due)
	}
}
