package schedules

import (
	"testing"
	"time"
)

// A schedule that was not exclusive for long becomes so at once.
func TestManyRunsAreSeenToHaveEnded(t *testing.T) {
	t.Parallel()
	w := open(t, Limits{})
	s := w.make(t, "* * * * *")
	w.sql(t, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
		INSERT INTO schedule_slots SELECT $1, i, $2, 0, i, 1, 'RUN_ACTOR', 'actor', 'started', '', '', 'run' || i, 0, 1, i FROM n`, s.ID, s.Actions[0].ID)
	w.sql(t, `INSERT INTO test_runs (id, ended) SELECT run_id, 1 FROM schedule_slots`)
	must(w.Update(t.Context(), s.ID, Update{Change: func(c *Settings) { c.Parallel = false }}))(t)
	start := time.Now()
	w.after(t, time.Minute)
	took := time.Since(start)
	t.Log(took)
	if took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}
