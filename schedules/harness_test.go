package schedules

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// begin is the time at which tests begin: no slot is at it.
var begin = time.Date(2026, 1, 31, 23, 59, 30, 0, time.UTC)

// world is a scheduler that is not started, and what it stands on.
type world struct {
	*Scheduler
	db    *storage.DB
	clock *clock.Manual
	// started are runs in a table of the same database.
	runs     *runs
	problems []Problem
}

func open(t testing.TB, l Limits) *world {
	t.Helper()
	w := &world{db: storagetest.Open(t), clock: clock.NewManual(begin)}
	w.runs = newRuns(t, w.db)
	p := must(projects.New(t.Context(), w.db, projects.Options{}))(t)
	w.Scheduler = must(New(Config{
		DB: w.db, Callers: p, Launchers: map[ActionType]Launcher{RunActor: w.runs, RunActorTask: w.runs}, Clock: w.clock, Limits: l,
		Problem: func(_ context.Context, p Problem) { w.problems = append(w.problems, p) },
	}))(t)
	return w
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// runs starts what actions name: rows of a table, which end when a test says so. Targets
// that begin with "no" are not there, "full" cannot be started, and with "broken" the
// database fails.
type runs struct {
	db       *storage.DB
	prepared atomic.Int64 // and neither written nor dropped
}

func newRuns(t testing.TB, db *storage.DB) *runs {
	t.Helper()
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS test_runs (id TEXT PRIMARY KEY, target TEXT, action_id TEXT, slot INTEGER, ended INTEGER DEFAULT 0)`)
		return err
	})
	must(0, err)(t)
	return &runs{db: db}
}

func (r *runs) Check(_ context.Context, a Action) (Action, error) {
	if a.Target == "" || a.Target[:2] == "no" {
		return a, errtypes.OfType(errtypes.TypeScheduleActorNotFound, "Actor with ID %q not found", a.Target)
	}
	return a, nil
}

func (r *runs) Prepare(_ context.Context, a Action, m Meta) (Launch, error) {
	if a.Target == "gone" {
		return nil, errtypes.OfType(errtypes.TypeRecordNotFound, "there is no Actor %q", a.Target)
	}
	if a.Target == "panics" {
		panic("a fault")
	}
	r.prepared.Add(1)
	return &testLaunch{r, a, m}, nil
}

func (r *runs) Unfinished(ctx context.Context, q storage.Querier, all []string) (left []string, err error) {
	for _, id := range all {
		ended, err := storage.Column[bool](q.QueryRow(ctx, `SELECT ended FROM test_runs WHERE id = $1`, id))
		if err != nil {
			return nil, err
		}
		if !ended {
			left = append(left, id)
		}
	}
	return left, nil
}

type testLaunch struct {
	*runs
	a Action
	m Meta
}

func (l *testLaunch) Write(ctx context.Context, tx *storage.Tx) (string, error) {
	if l.a.Target == "full" {
		return "", errtypes.OfType(errtypes.TypeConcurrentRunsLimitExceeded, "A project may have 0 runs that have not ended")
	}
	if l.a.Target == "broken" {
		return "", errors.New("the table is locked")
	}
	id := ids.NewShort()
	_, err := tx.Exec(ctx, `INSERT INTO test_runs (id, target, action_id, slot) VALUES ($1, $2, $3, $4)`, id, l.a.Target, l.m.ActionID, storage.Millis(l.m.ScheduledAt))
	tx.AfterCommit(func() { l.prepared.Add(-1) })
	return id, err
}

func (l *testLaunch) Drop(context.Context) { l.prepared.Add(-1) }

// end ends all runs.
func (r *runs) end(t testing.TB) {
	t.Helper()
	must(0, r.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE test_runs SET ended = 1`)
		return err
	}))(t)
}

// times are when the slots were whose runs there are, in seconds from a time.
func (r *runs) times(t testing.TB, from time.Time) (all []int) {
	t.Helper()
	slots := must(storage.ReadOne(t.Context(), r.db, func(ctx context.Context, q storage.Querier) ([]int64, error) {
		return storage.Collect(ctx, q, storage.Column[int64], `SELECT slot FROM test_runs ORDER BY slot, id`)
	}))(t)
	for _, s := range slots {
		all = append(all, int(storage.Time(s).Sub(from)/time.Second))
	}
	return all
}

// make makes a schedule that is enabled, with one action.
func (w *world) make(t testing.TB, cron string, set ...func(*Create)) Schedule {
	t.Helper()
	c := Create{Settings: Settings{Cron: cron, Enabled: true, Parallel: true}, Actions: []Action{{Type: RunActor, Target: "actor"}}}
	for _, s := range set {
		s(&c)
	}
	return must(w.Create(t.Context(), c))(t)
}

// turn decides all that is due now.
func (w *world) turn(t testing.TB) {
	t.Helper()
	for {
		n := must(w.fireDue(t.Context()))(t)
		if n == 0 {
			return
		}
	}
}

// after puts the clock forward and decides what is due.
func (w *world) after(t testing.TB, d time.Duration) {
	t.Helper()
	w.clock.Advance(d)
	w.turn(t)
}

// ledger is what became of the slots of a schedule, in short: "started 00:00 1".
func (w *world) ledger(t testing.TB, s Schedule) []string {
	t.Helper()
	return inShort(w.slots(t, s))
}

func inShort(slots []Slot) (all []string) {
	for _, o := range slots {
		text := string(o.Outcome)
		if o.Reason != "" {
			text = string(o.Reason)
		}
		if text += o.At.Format(" 15:04:05"); o.Count > 1 {
			text += fmt.Sprintf(" %d", o.Count)
		}
		if o.Manual {
			text += " manual"
		}
		if o.CaughtUp {
			text += " caught up"
		}
		all = append(all, text)
	}
	return all
}

func (w *world) slots(t testing.TB, s Schedule) (all []Slot) {
	t.Helper()
	for {
		l := must(w.Slots(t.Context(), s.ID, Filter{Offset: len(all)}))(t)
		if all = append(all, l.Items...); len(all) >= l.Total {
			return all
		}
	}
}

// sql changes what is stored.
func (w *world) sql(t testing.TB, query string, args ...any) {
	t.Helper()
	must(0, w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	}))(t)
}
