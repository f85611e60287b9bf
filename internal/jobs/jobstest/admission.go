package jobstest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

var admissionTests = []test{
	{"a job that does not fit waits, and lighter ones pass it", false, lightPasses},
	{"a heavy job starts in the end, however many light ones come", false, heavyStarts},
	{"kinds that share a ledger let a heavy job of one start", false, heavyStartsAcrossKinds},
	{"who waits for room holds up no other kind", false, otherKindsGoOn},
	{"the oldest job that waits is the next", false, oldestFirst},
	{"a heavy job that is canceled lets the others go on", false, canceledFirst},
	{"what came free elsewhere starts a job, and nothing is asked before", false, wakeStarts},
	{"a job that never fits is given up", false, neverFits},
	{"what fails, panics or is canceled gives back what it had", false, allGiveBack},
	{"a job that lost its lease is not weighed", false, lostIsNotWeighed},
	{"more jobs wait than are looked at, and all start", false, manyWait},
}

// ledger gives out what there is.
type ledger struct {
	mu    sync.Mutex
	size  int64
	taken int64
	asked int
}

var errTooBig = errors.New("too big")

func (l *ledger) Reserve(j jobs.Job) (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
	switch {
	case j.Weight > l.size:
		return nil, errTooBig
	case l.taken+j.Weight > l.size:
		return nil, jobs.ErrNoRoom
	}
	l.taken += j.Weight
	return sync.OnceFunc(func() { l.give(j.Weight) }), nil
}

func (l *ledger) give(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken -= n
}

func (l *ledger) questions() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked
}

// weighed is a queue of kind "k" whose jobs share a ledger.
func weighed(t *testing.T, db *storage.DB, size int64, workers int) (b *bench, l *ledger, r *recorder) {
	t.Helper()
	l, r = &ledger{size: size}, newRecorder()
	b = start(t, db, jobs.KindOptions{Workers: workers, Admission: l}, r.work)
	t.Cleanup(func() { b.stop(); l.empty(t) })
	return b, l, r
}

func (l *ledger) empty(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken != 0 {
		t.Errorf("%d are not given back", l.taken)
	}
}

func weight(kind, ref string, n int64) jobs.Insert {
	return jobs.Insert{Kind: kind, ProjectID: ref, Ref: ref, Weight: n}
}

// next expects a job to be the next to start.
func (r *recorder) next(t *testing.T, ref string) {
	t.Helper()
	if got := <-r.got; got.Ref != ref {
		t.Errorf("%s starts, want %s", got.Ref, ref)
	}
}

func lightPasses(t *testing.T, db *storage.DB) {
	b, _, r := weighed(t, db, 10, 4)
	b.enqueue(weight("k", "running", 6))
	r.next(t, "running")
	b.enqueue(weight("k", "heavy", 8), weight("k", "light", 4), weight("k", "nothing", 0))
	got := []string{(<-r.got).Ref, (<-r.got).Ref}
	if slices.Sort(got); !slices.Equal(got, []string{"light", "nothing"}) {
		t.Errorf("%v start", got)
	}
	for range 3 {
		r.answer <- nil
	}
	r.next(t, "heavy")
	r.answer <- nil
	b.drained(0)
}

// passing is how many jobs may start before one that does not fit.
const passing = 8

// lights makes n light jobs of as many projects wait.
func (b *bench) lights(kind string, n int) {
	b.t.Helper()
	var all []jobs.Insert
	for range n {
		all = append(all, weight(kind, ids.New(), 1))
	}
	b.enqueue(all...)
}

// passes ends a running job and expects another to start in its place, n times.
func (r *recorder) passes(t *testing.T, n int) {
	t.Helper()
	for range n {
		r.answer <- nil
		if got := <-r.got; got.Weight != 1 {
			t.Errorf("%s starts", got.Ref)
		}
	}
}

// end ends n running jobs.
func (r *recorder) end(n int) {
	for range n {
		r.answer <- nil
	}
}

func heavyStarts(t *testing.T, db *storage.DB) {
	b, _, r := weighed(t, db, 4, 4)
	b.lights("k", 4)
	for range 4 {
		<-r.got
	}
	b.enqueue(weight("k", "heavy", 4))
	b.lights("k", 20)
	r.passes(t, passing)
	r.end(4) // nobody starts in their place
	r.next(t, "heavy")
	r.end(1)
	for range 4 {
		<-r.got
	}
	r.passes(t, 20-passing-4)
	r.end(4)
	b.drained(0)
}

// twoKinds is a queue of two kinds that share a ledger.
func twoKinds(t *testing.T, db *storage.DB, size int64) (b *bench, heavy, light *recorder) {
	t.Helper()
	l := &ledger{size: size}
	heavy, light = newRecorder(), newRecorder()
	b = newBench(t, db, jobs.Options{})
	b.Register("heavy", heavy.work, jobs.KindOptions{Admission: l})
	b.Register("light", light.work, jobs.KindOptions{Admission: l})
	b.start()
	t.Cleanup(func() { b.stop(); l.empty(t) })
	b.lights("light", int(size))
	for range size {
		<-light.got
	}
	asked := l.questions()
	b.enqueue(weight("heavy", "heavy", size))
	for l.questions() == asked { // it is first in line
		runtime.Gosched()
	}
	return b, heavy, light
}

func heavyStartsAcrossKinds(t *testing.T, db *storage.DB) {
	b, heavy, light := twoKinds(t, db, 4)
	b.lights("light", 20)
	light.passes(t, passing)
	light.end(4)
	heavy.next(t, "heavy")
	heavy.end(1)
	for range 4 {
		<-light.got
	}
	light.passes(t, 20-passing-4)
	light.end(4)
	b.drained(0)
}

func otherKindsGoOn(t *testing.T, db *storage.DB) {
	l, r, free := &ledger{size: 1, taken: 1}, newRecorder(), newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{Admission: l})
	b.Register("free", free.work, jobs.KindOptions{Workers: 1})
	b.start()
	b.enqueue(weight("k", "waits", 1))
	for i := range 3 * passing {
		b.enqueue(weight("free", fmt.Sprint(i), 1))
	}
	for range 3 * passing {
		<-free.got
		free.answer <- nil
	}
	b.drained(1)
}

func oldestFirst(t *testing.T, db *storage.DB) {
	b, _, r := weighed(t, db, 4, 8)
	b.enqueue(weight("k", "running", 4))
	r.next(t, "running")
	for i := range 3 {
		b.enqueue(weight("k", fmt.Sprint("heavy", i), 4))
	}
	for i := range 3 {
		r.answer <- nil
		r.next(t, fmt.Sprint("heavy", i))
	}
	r.answer <- nil
	b.drained(0)
}

func canceledFirst(t *testing.T, db *storage.DB) {
	b, _, light := twoKinds(t, db, 4)
	b.lights("light", 2*passing)
	light.passes(t, passing)
	light.end(1) // nobody starts in its place
	if b.cancel("heavy", "heavy") {
		t.Error("the heavy job runs")
	}
	<-light.got
	light.passes(t, passing-1)
	light.end(4)
	b.drained(0)
}

func wakeStarts(t *testing.T, db *storage.DB) {
	c, r := newStepClock(), newRecorder()
	l := &ledger{size: 4, taken: 3}
	b := newBench(t, db, jobs.Options{Clock: c})
	free := newRecorder()
	b.Register("k", r.work, jobs.KindOptions{Admission: l})
	b.Register("free", free.work, jobs.KindOptions{})
	b.start()
	b.enqueue(weight("k", "row", 2), weight("free", "row", 0))
	<-free.got
	free.answer <- nil
	for l.questions() == 0 {
		runtime.Gosched()
	}
	asked := l.questions()
	for range 100 {
		c.step(time.Minute)
	}
	if n := l.questions(); n > asked+2 { // the commit and the end of the other job
		t.Errorf("the ledger was asked %d times more", n-asked)
	}
	l.give(3)
	b.Wake("k")
	b.Wake("nobody's")
	r.next(t, "row")
	r.answer <- nil
	b.drained(0)
	l.empty(t)
}

func neverFits(t *testing.T, db *storage.DB) {
	l, r, end := &ledger{size: 4}, newRecorder(), make(chan exhausted, 1)
	b := start(t, db, jobs.KindOptions{Admission: l, Exhausted: tell(end)}, r.work)
	b.enqueue(weight("k", "giant", 5))
	if got := <-end; got.cause != errTooBig || got.job.Ref != "giant" || got.job.Weight != 5 {
		t.Errorf("given up with %+v", got)
	}
	b.enqueue(weight("k", "fits", 4))
	r.next(t, "fits")
	r.answer <- nil
	b.drained(0)
	l.empty(t)
}

func allGiveBack(t *testing.T, db *storage.DB) {
	l := &ledger{size: 1}
	tries := make(chan int)
	b := start(t, db, jobs.KindOptions{Admission: l, Backoff: atOnce}, func(ctx context.Context, j jobs.Job) error {
		tries <- j.Attempt
		switch j.Attempt {
		case 1:
			return errBoom
		case 2:
			panic("boom")
		}
		<-ctx.Done()
		return ctx.Err()
	})
	b.enqueue(weight("k", "row", 1))
	for want := 1; want <= 3; want++ {
		if got := <-tries; got != want {
			t.Errorf("attempt %d, want %d", got, want)
		}
	}
	b.cancel("k", "row")
	b.drained(0)
	l.empty(t)
}

func lostIsNotWeighed(t *testing.T, db *storage.DB) {
	l, r := &ledger{size: 4, taken: 4}, newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{Admission: l})
	b.enqueue(weight("k", "row", 2))
	b.write(func(ctx context.Context, tx *storage.Tx) error { // as if its process had died
		_, err := tx.Exec(ctx, `UPDATE jobs SET state = 'running', attempt = 1, lease = 1, runner = $1`, db.InstanceID())
		return err
	})
	b.start()
	if got := <-r.got; !got.LeaseLost || got.Weight != 2 {
		t.Errorf("got %+v", got)
	}
	r.answer <- jobs.Snooze(0) // to begin again
	l.give(4)
	b.Wake("k")
	if got := <-r.got; got.LeaseLost || l.taken != 2 {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
	l.empty(t)
}

func manyWait(t *testing.T, db *storage.DB) {
	const all = 50 // three times lookAhead
	b, _, r := weighed(t, db, 2, 100)
	b.lights("k", all)
	for begun, ended := 0, 0; ended < all; {
		answer := r.answer
		if begun == ended {
			answer = nil
		}
		select {
		case <-r.got:
			if begun++; begun-ended > 2 {
				t.Fatalf("%d run at the same time", begun-ended)
			}
		case answer <- nil:
			ended++
		}
	}
	b.drained(0)
}
