package schedules

import (
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// A schedule that was not exclusive for long becomes so at once. With a statement for
// each run it took most of a minute of an idle machine.
func TestManyRunsAreSeenToHaveEnded(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.sql(t, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
		INSERT INTO schedule_slots SELECT $1, i, $2, 0, i, 1, 'RUN_ACTOR', 'actor', 'started', '', '', 'run' || i, 0, 1, i FROM n`, s.ID, s.Actions[0].ID)
	w.sql(t, `INSERT INTO test_runs (id, ended) SELECT run_id, 1 FROM schedule_slots`)
	must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Parallel = false }}))(t)
	start := time.Now()
	w.after(t, time.Minute)
	if took := time.Since(start); took > testlevel.Loaded(5*time.Second) {
		t.Errorf("took %v", took)
	}
}

// A run that goes on for longer than the ledger is kept is still in the way of the next.
func TestALongRunStaysExclusive(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *", func(c *Create) { c.Parallel = false })
	free := w.make(t, "0 * * * *")
	w.after(t, time.Minute)
	w.after(t, 31*24*time.Hour)
	w.retain(t)
	w.after(t, time.Minute)
	for _, o := range w.slots(t, s)[1:] {
		if o.Outcome == Started {
			t.Errorf("started beside the run that goes on: %+v", o)
		}
	}
	w.runs.end(t)
	w.after(t, 31*24*time.Hour)
	w.retain(t)
	for _, s := range []Schedule{s, free} {
		if old := w.slots(t, s)[0]; old.RecordedAt.Before(w.now().Add(-w.conf.Retention)) {
			t.Errorf("not deleted: %+v", old)
		}
	}
}

// retain deletes what is older than the ledger is kept.
func (w *world) retain(t testing.TB) {
	t.Helper()
	for n := 1; n > 0; {
		n = must(w.deleteSlots(t.Context(), w.now().Add(-w.conf.Retention)))(t)
	}
}

// A schedule that becomes exclusive is so beside the runs that it has started before.
func TestAScheduleBecomesExclusive(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.after(t, time.Minute)
	must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Parallel = false }}))(t)
	w.after(t, time.Minute)
	w.runs.end(t)
	w.after(t, time.Minute)
	same(t, "ledger", w.ledger(t, s), []string{"started 00:00:00", "exclusive 00:01:00", "started 00:02:00"})
}

// A run that is resurrected is in the way again.
func TestAResurrectedRunIsExclusive(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *", func(c *Create) { c.Parallel = false })
	w.after(t, time.Minute)
	first := w.slots(t, s)[0].RunID
	w.runs.end(t)
	w.after(t, time.Minute) // the first is seen to have ended
	w.runs.end(t)
	w.sql(t, `UPDATE test_runs SET ended = 0 WHERE id = $1`, first)
	for range recentSlots + 2 {
		w.after(t, time.Minute)
	}
	all := w.slots(t, s)
	for _, o := range all[2:] {
		if o.Reason != Exclusive {
			t.Errorf("%+v", o)
		}
	}
}
