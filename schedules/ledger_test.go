package schedules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
)

// expressions are all features of the evaluator.
var expressions = []string{
	"* * * * *", "*/7 * * * *", "0 * * * *", "30 2 * * *", "15,45 1-3 * * *", "0 0 1 * *", "0 12 * * MON-FRI", "0 9 L * *", "0 9 * * 1#2", "0 9 * * 5L",
	"0 0 31 * *", "@daily", "@hourly", "@weekly", "@monthly", "@yearly", "*/20 30 2 * * *", "5/25 10 * * * *", "0 0 13 * FRI", "0 4 29 2 *",
}

// zones have gaps and overlaps in both hemispheres, of an hour and of half of one, at
// midnight, and none at all.
var zones = []string{"UTC", "Europe/Prague", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo", "Asia/Kathmandu", "Pacific/Apia"}

// Whatever happens to the clock, the process and the schedule: each slot that was due is in
// the ledger, once for each action.
func TestEverySlotIsInTheLedger(t *testing.T) {
	t.Parallel()
	for seed := range testlevel.Rounds(30, 600) {
		ledgerOf(t, uint64(seed))
	}
}

func ledgerOf(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 18))
	w := open(t, Limits{Batch: 1 + r.IntN(3)})
	w.clock.Advance(time.Duration(r.IntN(365*24)) * time.Hour)
	any := func(all []string) string { return all[r.IntN(len(all))] }
	s := w.make(t, any(expressions), func(c *Create) {
		c.Timezone, c.Parallel = any(zones), r.IntN(2) == 0
		c.CatchUp = CatchUp(any([]string{"last", "all", "none"}))
		c.Actions = append(c.Actions, Action{Type: RunActorTask, Target: any([]string{"task", "full", "gone", "broken"})})
	})
	from := w.now()
	for range 40 {
		switch r.IntN(12) {
		case 0: // off for days
			w.clock.Advance(time.Duration(r.IntN(5*24*3600)) * time.Second)
		case 1: // the clock is put back, at most to where the schedule was made
			back := min(time.Duration(r.IntN(6*3600))*time.Second, w.now().Sub(from))
			w.clock.Advance(-back)
			if back > minInterval {
				must(0, w.rewind(t.Context(), w.now(), w.now()))(t)
			}
		case 2:
			w.runs.end(t)
		case 3: // another process fires what this one has read
			w.turn(t)
		default:
			w.clock.Advance(time.Duration(r.IntN(2*3600)) * time.Second)
		}
		if r.IntN(3) > 0 {
			w.turn(t)
		}
	}
	w.clock.Advance(time.Minute)
	w.turn(t)
	w.complete(t, fmt.Sprintf("seed %d: %q in %s, %s", seed, s.Cron, s.Timezone, s.CatchUp), s, from)
	if n := w.runs.prepared.Load(); n != 0 {
		t.Errorf("seed %d: %d starts were neither used nor dropped", seed, n)
	}
}

// complete checks that each slot since a time is in the ledger of each action once.
func (w *world) complete(t *testing.T, name string, s Schedule, from time.Time) {
	t.Helper()
	timing := must(w.conf.Limits.timingOf(s.ID, s.Settings))(t)
	due := map[int64]bool{}
	for at, ok := timing.next(from); ok && !at.After(w.now()); at, ok = timing.next(at) {
		due[at.UnixMilli()] = true
	}
	for _, a := range s.Actions {
		seen := map[int64]int{}
		runs := 0
		for _, o := range w.slots(t, s) {
			if o.ActionID != a.ID || o.At.After(w.now()) {
				continue
			}
			n := 0
			for at := o.At; !at.After(o.Until); at, _ = timing.next(at) {
				seen[at.UnixMilli()]++
				n++
			}
			if n != o.Count || o.Outcome != Skipped && n != 1 {
				t.Errorf("%s: %+v stands for %d slots", name, o, n)
			}
			if o.Outcome == Started {
				runs++
			}
		}
		for at := range due {
			if seen[at] != 1 {
				t.Errorf("%s: %s is in the ledger of %s %d times", name, time.UnixMilli(at).UTC(), a.Target, seen[at])
			}
		}
		if len(seen) != len(due) {
			t.Errorf("%s: %d slots of %s, and %d were due", name, len(seen), a.Target, len(due))
		}
	}
}

// What the database fails with is the fault of one schedule, and holds up no other.
func TestABrokenScheduleHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	broken := w.make(t, "* * * * *", func(c *Create) { c.Actions = []Action{{Type: RunActor, Target: "broken"}} })
	sound := w.make(t, "* * * * *")
	w.after(t, time.Minute)
	same(t, "broken", w.ledger(t, broken), []string{"failed 00:00:00"})
	same(t, "sound", w.ledger(t, sound), []string{"started 00:00:00"})
	if len(w.problems) != 1 || w.problems[0].Slot.Message != "the table is locked" {
		t.Errorf("told of %+v", w.problems)
	}
}

// One process fires; another one takes over when it has not for a while.
func TestOneProcessFires(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.after(t, time.Minute)
	w.clock.Advance(time.Minute)
	now := w.now()
	must(0, w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		held, err := takeLease(ctx, tx, "another process", now, now.Add(leaseTime))
		if !held {
			t.Error("a lease whose time is over cannot be taken")
		}
		return err
	}))(t)
	if n := must(w.fireDue(t.Context()))(t); n != 0 {
		t.Errorf("%d are decided beside another process", n)
	}
	w.clock.Advance(leaseTime)
	w.turn(t)
	if got := w.ledger(t, s); !slices.Equal(got, []string{"started 00:00:00", "started 00:01:00"}) {
		t.Error(got)
	}
}
