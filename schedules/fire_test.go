package schedules

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
)

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSlotsAreStarted(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "*/5 * * * *")
	if want := begin.Add(30 * time.Second); !s.NextRunAt.Equal(want) || !s.LastRunAt.IsZero() {
		t.Fatalf("%v, want %v", s.NextRunAt, want)
	}
	w.turn(t) // not yet
	w.after(t, 30*time.Second)
	w.turn(t) // not again
	w.after(t, 299*time.Second)
	w.after(t, 3*time.Second) // two seconds late: no drift
	w.after(t, 298*time.Second)
	same(t, "ledger", w.ledger(t, s), []string{"started 00:00:00", "started 00:05:00", "started 00:10:00"})
	all := w.slots(t, s)
	if late := all[1].Late; late != 2*time.Second {
		t.Errorf("late by %v", late)
	}
	if got := w.runs.times(t, begin); !slices.Equal(got, []int{30, 330, 630}) {
		t.Errorf("runs at %v", got)
	}
	s = must(w.Get(t.Context(), s.ID))(t)
	if !s.NextRunAt.Equal(begin.Add(930*time.Second)) || !s.LastRunAt.Equal(w.clock.Now()) {
		t.Errorf("next %v, last %v", s.NextRunAt, s.LastRunAt)
	}
}

func TestWhatIsOverdue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule CatchUp
		down time.Duration
		want []string
	}{
		{CatchUpLast, 10 * time.Minute, []string{"missed 00:00:00 9 caught up", "started 00:09:00 caught up"}},
		{CatchUpLast, 60 * time.Second, []string{"started 00:00:00"}},
		{CatchUpNone, 10 * time.Minute, []string{"missed 00:00:00 9", "started 00:09:00"}},
		{CatchUpNone, 9*time.Minute + 45*time.Second, []string{"missed 00:00:00 9", "started 00:09:00"}},
		{CatchUpAll, 3 * time.Minute, []string{"started 00:00:00 caught up", "started 00:01:00 caught up", "started 00:02:00 caught up"}},
	} {
		w := open(t, Limits{})
		s := w.make(t, "* * * * *", func(n *Create) { n.CatchUp = c.rule })
		w.after(t, c.down)
		same(t, string(c.rule)+" after "+c.down.String(), w.ledger(t, s), c.want)
	}
}

// Three days off: every slot is in the ledger, and one has a run.
func TestDaysOff(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * * *") // more than are planned at once
	w.after(t, 72*time.Hour)
	due, started := 0, 0
	for _, o := range w.slots(t, s) {
		due += o.Count
		if o.Outcome == Started {
			started++
		}
	}
	if due != 72*3600 || started != 1 {
		t.Errorf("%d slots, %d runs", due, started)
	}
}

// Slots less than ten seconds apart are not started.
func TestSlotsThatAreTooSoon(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "*/4 * * * * *")
	for range 30 {
		w.after(t, time.Second)
	}
	same(t, "ledger", w.ledger(t, s), []string{
		"started 23:59:32", "too soon 23:59:36 2", "started 23:59:44", "too soon 23:59:48 2", "started 23:59:56",
	})
}

func TestExclusiveActions(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{Skips: 2})
	s := w.make(t, "* * * * *", func(c *Create) { c.Parallel = false })
	for range 5 {
		w.after(t, time.Minute)
	}
	w.runs.end(t)
	w.after(t, time.Minute)
	w.after(t, time.Minute)
	same(t, "ledger", w.ledger(t, s), []string{
		"started 00:00:00", "exclusive 00:01:00", "exclusive 00:02:00", "exclusive 00:03:00", "exclusive 00:04:00", "started 00:05:00", "exclusive 00:06:00",
	})
	if len(w.problems) != 2 || w.problems[0].Skips != 2 || w.problems[1].Skips != 4 {
		t.Errorf("told of %+v", w.problems)
	}
	if n := w.runs.prepared.Load(); n != 0 {
		t.Errorf("%d starts were neither used nor dropped", n)
	}
}

// What cannot be started is in the ledger with its reason, and keeps nothing else from it.
func TestActionsThatCannotBeStarted(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *", func(c *Create) {
		c.Actions = []Action{{Type: RunActor, Target: "full"}, {Type: RunActor, Target: "actor"}, {Type: RunActorTask, Target: "gone"}}
	})
	w.after(t, time.Minute)
	var got []string
	for _, a := range s.Actions {
		for _, o := range w.slots(t, s) {
			if o.ActionID == a.ID {
				got = append(got, o.Target+" "+string(o.Outcome)+" "+o.Message)
			}
		}
	}
	same(t, "slots", got, []string{"full failed A project may have 0 runs that have not ended", "actor started ", `gone failed there is no Actor "gone"`})
	if len(w.problems) != 2 {
		t.Errorf("told of %+v", w.problems)
	}
	log := must(w.Log(t.Context(), s.ID))(t)
	var lines []string
	for _, l := range log {
		lines = append(lines, l.Level+" "+l.Message)
	}
	slices.Sort(lines[:len(lines)-1])
	same(t, "log", lines, []string{
		`ERROR Cannot start Actor "full": A project may have 0 runs that have not ended`,
		`ERROR Cannot start Actor task "gone": there is no Actor "gone"`,
		"INFO Schedule invoked",
	})
}

func TestASchedulesThatIsPaused(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.after(t, time.Minute)
	enable := func(on bool) {
		s = must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Enabled = on }}))(t)
	}
	enable(false)
	if !s.NextRunAt.IsZero() {
		t.Errorf("due at %v", s.NextRunAt)
	}
	w.after(t, 5*time.Minute)
	enable(true)
	w.after(t, time.Minute)
	same(t, "ledger", w.ledger(t, s), []string{"started 00:00:00", "disabled 00:01:00 5", "started 00:06:00"})
}

// A new expression counts from when it is given; what the old one had due before is in the
// ledger.
func TestAnExpressionThatIsChanged(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.clock.Advance(2 * time.Minute) // nobody fires
	s = must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Cron = "0 * * * *" }}))(t)
	w.after(t, time.Hour)
	same(t, "ledger", w.ledger(t, s), []string{"missed 00:00:00 2", "started 01:00:00"})
}

func TestTheClockIsPutBack(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.after(t, time.Minute)     // 00:00 is started
	w.after(t, 10*24*time.Hour) // the clock is wrong, and the last slot is started
	w.clock.Advance(-10 * 24 * time.Hour)
	must(0, w.rewind(t.Context(), w.now(), w.now()))(t)
	w.after(t, time.Minute)
	w.after(t, time.Minute)
	same(t, "ledger", w.ledger(t, s), []string{"started 00:00:00", "started 00:01:00", "started 00:02:00", "started 00:00:00 caught up"})
	if s = must(w.Get(t.Context(), s.ID))(t); !s.NextRunAt.Equal(w.clock.Now().Truncate(time.Minute).Add(time.Minute)) {
		t.Errorf("due at %v, and it is %v", s.NextRunAt, w.clock.Now())
	}
}

// Put back by less, what has been started is not started again.
func TestNothingFiresTwice(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	for range 5 {
		w.after(t, time.Minute)
	}
	w.clock.Advance(-3 * time.Minute)
	must(0, w.rewind(t.Context(), w.now(), w.now()))(t)
	for range 5 {
		w.after(t, time.Minute)
	}
	same(t, "ledger", w.ledger(t, s), []string{
		"started 00:00:00", "started 00:01:00", "started 00:02:00", "started 00:03:00", "started 00:04:00", "started 00:05:00", "started 00:06:00",
	})
}

func TestInvoke(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *", func(c *Create) { c.Enabled = false })
	slots := must(w.Invoke(t.Context(), "~"+s.Name))(t)
	if len(slots) != 1 || slots[0].Outcome != Started || !slots[0].Manual || slots[0].RunID == "" {
		t.Fatalf("%+v", slots)
	}
	same(t, "ledger", w.ledger(t, s), []string{"started 23:59:30 manual"})
	after := must(w.Get(t.Context(), s.ID))(t)
	if !after.LastRunAt.IsZero() || !after.NextRunAt.IsZero() {
		t.Errorf("%+v", after)
	}
	if _, err := w.Invoke(t.Context(), "nothing"); errtypes.KindOf(err) != errtypes.NotFound {
		t.Error(err)
	}
}
