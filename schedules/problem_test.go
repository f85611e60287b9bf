package schedules

import (
	"context"
	"slices"
	"testing"
	"time"
)

// Several slots of an action are skipped in one turn.
func TestSkipsOfOneTurnAreCounted(t *testing.T) {
	t.Parallel()
	for down, want := range map[int][]int{6: {3}, 7: {3, 6}, 8: {3, 6}} {
		w := open(t, Limits{Skips: 3})
		w.make(t, "* * * * *", func(c *Create) { c.Parallel, c.CatchUp = false, CatchUpAll })
		w.after(t, time.Duration(down)*time.Minute)
		var got []int
		for _, p := range w.problems {
			got = append(got, p.Skips)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d slots: told at %v, want %v", down, got, want)
		}
	}
}

// A function that panics ends neither the process nor the firing.
func TestTheFunctionThatIsToldPanics(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	w.conf.Problem = func(context.Context, Problem) { panic("a fault") }
	s := w.make(t, "* * * * *", func(c *Create) {
		c.Actions = []Action{{Type: RunActor, Target: "full"}, {Type: RunActor, Target: "full"}}
	})
	w.after(t, time.Minute)
	same(t, "ledger", w.ledger(t, s), []string{"failed 00:00:00", "failed 00:00:00"})
}

// A start that panics fails its slot, and neither the host nor other actions.
func TestAStartThatPanics(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *", func(c *Create) {
		c.Actions = []Action{{Type: RunActor, Target: "panics"}, {Type: RunActor, Target: "one"}}
	})
	w.after(t, time.Minute)
	ledger := w.ledger(t, s)
	slices.Sort(ledger)
	same(t, "ledger", ledger, []string{"failed 00:00:00", "started 00:00:00"})
}
