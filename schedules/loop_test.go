package schedules

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// until waits until the ledger of a schedule has so many rows.
func (w *world) until(t *testing.T, s Schedule, rows int) []Slot {
	t.Helper()
	for end := time.Now().Add(testlevel.Loaded(30 * time.Second)); ; time.Sleep(time.Millisecond) {
		all := w.slots(t, s)
		if len(all) >= rows {
			return all
		}
		if time.Now().After(end) {
			t.Fatalf("%d rows, want %d: %v", len(all), rows, w.ledger(t, s))
		}
	}
}

// A machine that was asleep, one whose clock is put forward, and one whose clock is put
// back: what fires notices it by itself.
func TestTheClockJumps(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "0 * * * *")
	must(0, w.Start(t.Context()))(t)
	defer w.Close(context.Background())
	w.clock.WaitForTimers(1)
	w.clock.Advance(30 * time.Second) // 00:00
	w.until(t, s, 1)
	w.clock.WaitForTimers(1)
	w.clock.Advance(72 * time.Hour) // 71 are missed, one is caught up
	if all := w.until(t, s, 3); all[1].Count != 71 || all[1].Reason != Missed || all[2].Outcome != Started || !all[2].CaughtUp {
		t.Errorf("%+v", all)
	}
	w.clock.WaitForTimers(1)
	w.clock.Advance(-48 * time.Hour) // it had been put forward by two days too many
	w.wake()                         // timers of a machine go on when its clock is put back; those of a test do not
	for all := w.slots(t, s); all[1].Count == 71 && t.Context().Err() == nil; all = w.slots(t, s) {
		time.Sleep(time.Millisecond)
	}
	w.clock.WaitForTimers(1)
	w.clock.Advance(time.Hour)
	same(t, "ledger", inShort(w.until(t, s, 4)), []string{"started 00:00:00", "missed 01:00:00 24 caught up", "started 01:00:00", "started 00:00:00 caught up"})
}

// A schedule that is made, changed or deleted is noticed at once, and does not wait for the
// next look.
func TestASoonerScheduleIsNoticed(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{Look: time.Hour})
	must(0, w.Start(t.Context()))(t)
	defer w.Close(context.Background())
	w.clock.WaitForTimers(1)
	s := w.make(t, "* * * * *")
	w.clock.Advance(time.Minute)
	w.until(t, s, 1)
}
