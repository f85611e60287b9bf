package jobstest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
)

var orderTests = []test{
	{"as many run as there are workers", false, workersAreBounded},
	{"a kind that is busy holds up no other", false, kindsAreIndependent},
	{"projects take turns", false, projectsTakeTurns},
	{"ten thousand jobs of a project do not delay another's", false, manyDelayNobody},
	{"delayed jobs take turns when their time comes", false, delayedTakeTurns},
	{"no job starts while somebody holds them", false, heldJobsWait},
	{"a job of this instance runs here", false, ownJobRuns},
	{"a job of a living instance waits for it", true, foreignJobWaits},
	{"a job whose owner leaves runs anywhere", true, ownerLeaves},
	{"a job whose owner was never there runs anywhere", false, ownerUnknown},
}

func workersAreBounded(t *testing.T, db *storage.DB) {
	const workers, jobsOfAll = 3, 12
	var running, most atomic.Int32
	full, done := make(chan struct{}), make(chan struct{})
	b := start(t, db, jobs.KindOptions{Workers: workers}, func(context.Context, jobs.Job) error {
		n := running.Add(1)
		defer running.Add(-1)
		if n == workers && most.Swap(n) < n {
			close(full)
		}
		most.Store(max(n, most.Load()))
		<-full // nobody leaves before all hands are busy
		done <- struct{}{}
		return nil
	})
	for i := range jobsOfAll {
		b.enqueue(jobs.Insert{Kind: "k", Ref: fmt.Sprint(i)})
	}
	for range jobsOfAll {
		<-done
	}
	if most.Load() != workers {
		t.Errorf("%d ran at once, want %d", most.Load(), workers)
	}
	b.drained(0)
}

func heldJobsWait(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{Workers: 2}, r.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "before"})
	r.next(t, "before")
	first, second := b.Hold(), b.Hold()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "held"})
	r.end(1)
	for b.left() != 1 { // the queue has looked since
		runtime.Gosched()
	}
	first()
	first() // counts once
	select {
	case j := <-r.got:
		t.Errorf("%s starts", j.Ref)
	default:
	}
	second()
	r.next(t, "held")
	r.end(1)
	b.drained(0)
}

func kindsAreIndependent(t *testing.T, db *storage.DB) {
	slow, quick := newRecorder(), newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("slow", slow.work, jobs.KindOptions{Workers: 1})
	b.Register("quick", quick.work, jobs.KindOptions{Workers: 1})
	b.start()
	b.enqueue(jobs.Insert{Kind: "slow", Ref: "1"}, jobs.Insert{Kind: "slow", Ref: "2"})
	<-slow.got
	b.enqueue(jobs.Insert{Kind: "quick", Ref: "1"})
	<-quick.got
	quick.answer <- nil
	slow.answer <- nil
	<-slow.got
	slow.answer <- nil
	b.drained(0)
}

// series is what a project enqueues: refs a1, a2, … of project a.
func series(project string, n int) (all []jobs.Insert) {
	for i := range n {
		all = append(all, jobs.Insert{Kind: "k", ProjectID: project, Ref: fmt.Sprint(project, i+1)})
	}
	return all
}

// order runs all jobs that wait with one worker and returns their refs.
func order(t *testing.T, db *storage.DB, prepare func(b *bench) (n int)) (refs []string) {
	t.Helper()
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{Workers: 1})
	n := prepare(b)
	b.start()
	for range n {
		refs = append(refs, (<-r.got).Ref)
		r.answer <- nil
	}
	return refs
}

func projectsTakeTurns(t *testing.T, db *storage.DB) {
	got := order(t, db, func(b *bench) int {
		b.enqueue(series("a", 5)...)
		b.enqueue(series("b", 3)...)
		b.enqueue(series("c", 1)...)
		return 9
	})
	if want := []string{"a1", "b1", "c1", "a2", "b2", "a3", "b3", "a4", "a5"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

// flood makes n jobs of a project ready, as Enqueue would in n calls; those
// would take a minute under the race detector.
func (b *bench) flood(project string, n int) {
	b.t.Helper()
	b.enqueue(jobs.Insert{Kind: "k", ProjectID: project, Ref: "1"})
	b.write(func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < $1 - 1)
			INSERT INTO jobs (id, kind, project_id, ref, key, owner, state, turn, run_at, max_attempts, created_at)
			SELECT id || '-' || i, kind, project_id, i + 1, i + 1, owner, state, turn + i, run_at, max_attempts, created_at
			FROM numbers, jobs`, n)
		return err
	})
}

func manyDelayNobody(t *testing.T, db *storage.DB) {
	many := testlevel.Of(1000, 10_000)
	if db.Dir() == "" {
		many = 1000
	}
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{Workers: 1})
	b.flood("many", many)
	b.start()
	for i := range 20 { // some are done when the other project comes
		if got := <-r.got; got.Ref != fmt.Sprint(i+1) {
			t.Errorf("job %d is %s", i+1, got.Ref)
		}
		r.answer <- nil
	}
	<-r.got
	b.enqueue(jobs.Insert{Kind: "k", ProjectID: "few", Ref: "single"})
	r.answer <- nil
	var next []string
	for range 2 {
		next = append(next, (<-r.got).Ref)
		r.answer <- nil
	}
	if !slices.Contains(next, "single") {
		t.Errorf("the next jobs are %v: the single one waits", next)
	}
	<-r.got
	done := b.stopping() // leaves the rest
	r.answer <- nil
	if err := <-done; err != nil {
		t.Error(err)
	}
	if left := b.left(); left != many+1-24 {
		t.Errorf("%d jobs are left of %d", left, many+1)
	}
}

func delayedTakeTurns(t *testing.T, db *storage.DB) {
	got := order(t, db, func(b *bench) int {
		for _, in := range append(series("a", 3), series("b", 2)...) {
			in.Delay = 1 // over before the queue starts
			b.enqueue(in)
		}
		b.enqueue(series("c", 1)...)
		return 6
	})
	if want := []string{"c1", "a1", "b1", "a2", "b2", "a3"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func ownJobRuns(t *testing.T, db *storage.DB) {
	got := order(t, db, func(b *bench) int {
		for _, in := range series("a", 2) {
			in.Owner = db.InstanceID()
			b.enqueue(in)
		}
		b.enqueue(series("b", 2)...)
		return 4
	})
	if want := []string{"a1", "b1", "a2", "b2"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v: what only this instance may do has turns, too", got, want)
	}
}

// another opens the database a second time, as another process would.
func another(t *testing.T, db *storage.DB) *storage.DB {
	t.Helper()
	other, err := storage.Open(t.Context(), storage.Options{Dir: db.Dir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	return other
}

func foreignJobWaits(t *testing.T, db *storage.DB) {
	here, there := newRecorder(), newRecorder()
	b := start(t, db, jobs.KindOptions{}, here.work)
	other := another(t, db)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "theirs", Owner: other.InstanceID()}, jobs.Insert{Kind: "k", Ref: "anybody's"})
	if got := <-here.got; got.Ref != "anybody's" {
		t.Errorf("got %+v", got)
	}
	here.answer <- nil
	start(t, other, jobs.KindOptions{}, there.work)
	if got := <-there.got; got.Ref != "theirs" || got.OwnerLost {
		t.Errorf("they got %+v", got)
	}
	there.answer <- nil
}

func ownerLeaves(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{}, r.work)
	other := another(t, db)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "theirs", Owner: other.InstanceID()})
	id := other.InstanceID()
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-r.got; got.Ref != "theirs" || !got.OwnerLost || got.Owner != id || got.LeaseLost {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}

func ownerUnknown(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{}, r.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row", Owner: "nobody"})
	if got := <-r.got; !got.OwnerLost || got.Owner != "nobody" {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}
