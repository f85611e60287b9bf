package jobstest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// Torture kills processes with -9 while they do jobs, as often as told, and
// enqueues perKill jobs for each time. In the end every job must have had its
// effect, and those exactly one that are done in the transaction of their
// effect.
func Torture(t *testing.T, db *storage.DB, kills, perKill int) {
	db, err := storage.Open(t.Context(), patient(db.Dir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	hub := notify.New(db, notify.Options{})
	t.Cleanup(func() { hub.Close() })
	w := &torture{t: t, b: newBench(t, db, jobs.Options{}), changes: hub.Subscribe("effects")}
	t.Cleanup(hub.Hurry())
	w.b.write(func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, effects)
		return err
	})
	children := []*child{startChild(t, db.Dir()), startChild(t, db.Dir())}
	for range kills {
		w.enqueue(perKill)
		w.await(w.done() + 1 + rand.IntN(perKill/2)) // in the midst of it
		victim := rand.IntN(len(children))
		children[victim].kill()
		children[victim] = startChild(t, db.Dir())
	}
	w.await(w.enqueued)
	for w.b.left() > 0 { // an effect is recorded before its job is gone
		<-w.changes.C()
	}
	w.check(kills)
}

type torture struct {
	t        *testing.T
	b        *bench
	changes  *notify.Subscription
	enqueued int
}

// enqueue enqueues n jobs in small transactions, half of each kind.
func (w *torture) enqueue(n int) {
	w.t.Helper()
	for range n / 4 {
		var some []jobs.Insert
		for i := range 4 {
			kind := []string{"effect", "exact"}[i%2]
			some = append(some, jobs.Insert{Kind: kind, ProjectID: fmt.Sprint(w.enqueued % 3), Ref: fmt.Sprint(w.enqueued)})
			w.enqueued++
		}
		w.b.enqueue(some...)
	}
}

func (w *torture) count(query string) (n int) {
	w.t.Helper()
	err := w.b.db.Read(w.t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, query).Scan(&n)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *torture) done() int { return w.count(`SELECT count(*) FROM effects`) }

// await waits until n jobs have had their effect, or all.
func (w *torture) await(n int) {
	w.t.Helper()
	for w.done() < min(n, w.enqueued) {
		<-w.changes.C()
	}
}

func (w *torture) check(kills int) {
	w.t.Helper()
	if done := w.done(); done != w.enqueued {
		w.t.Errorf("%d of %d jobs had their effect", done, w.enqueued)
	}
	if n := w.count(`SELECT count(*) FROM effects WHERE kind = 'exact' AND n <> 1`); n > 0 {
		w.t.Errorf("%d jobs were done twice although their end is part of their effect", n)
	}
	twice := w.count(`SELECT count(*) FROM effects WHERE n > 1`)
	w.t.Logf("%d kills, %d jobs, none lost, %d of %d repeatable ones repeated", kills, w.enqueued, twice, w.enqueued/2)
}
