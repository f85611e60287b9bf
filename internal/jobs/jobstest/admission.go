package jobstest

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
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
	{"a heavy job that does not fit beside others' processes holds up nobody", false, heavyHoldsUpNobody},
	{"a heavy job that is canceled lets the others go on", false, canceledFirst},
	{"what came free elsewhere starts a job, and nothing is asked before", false, wakeStarts},
	{"a job that never fits is given up", false, neverFits},
	{"what fails, panics or is canceled gives back what it had", false, allGiveBack},
	{"a job that lost its lease is not weighed", false, lostIsNotWeighed},
	{"more jobs wait than are looked at, and all start", false, manyWait},
	{"a share that is full holds up no other", false, fullShare},
	{"projects whose jobs do not fit hold up no other", false, fullProjects},
}

// ledger counts how often it is asked, and how many have given back what they had.
type ledger struct {
	jobs.Admission
	memory      *admission.Ledger
	asked, back atomic.Int64
}

func newLedger(t *testing.T, size int64) *ledger {
	t.Helper()
	memory, err := admission.New(admission.Options{Memory: size})
	if err != nil {
		t.Fatal(err)
	}
	return &ledger{Admission: jobs.Memory(memory), memory: memory}
}

func (l *ledger) Reserve(j jobs.Job) (release func(), err error) {
	l.asked.Add(1)
	giveBack, err := l.Admission.Reserve(j)
	return func() {
		giveBack()
		l.back.Add(1)
	}, err
}

// untilBack waits until so many have given back what they had.
func (l *ledger) untilBack(n int64) {
	for l.back.Load() < n {
		runtime.Gosched()
	}
}

// others have some of it.
func (l *ledger) others(t *testing.T, n int64) *admission.Grant {
	t.Helper()
	g, err := l.memory.TryReserve(admission.Request{Project: "others", Bytes: n})
	if g == nil || err != nil {
		t.Fatal(err)
	}
	return g
}

// untilWaits waits until so many requests have a place.
func (l *ledger) untilWaits(n int) {
	for l.memory.State().Waiting != n {
		runtime.Gosched()
	}
}

// weighed is a queue of kind "k" whose jobs share a ledger.
func weighed(t *testing.T, db *storage.DB, size int64, workers int) (b *bench, l *ledger, r *recorder) {
	t.Helper()
	l, r = newLedger(t, size), newRecorder()
	b = start(t, db, jobs.KindOptions{Workers: workers, Admission: l}, r.work)
	t.Cleanup(func() { b.stop(); l.empty(t) })
	return b, l, r
}

func (l *ledger) empty(t *testing.T) {
	t.Helper()
	if s := l.memory.State(); s.Used != 0 || s.Waiting != 0 {
		t.Errorf("not everything is given back: %+v", s)
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

// lights makes n light jobs of as many projects wait. They weigh 2, so that half
// of what one gives back can be held for a heavy one.
func (b *bench) lights(kind string, n int) {
	b.t.Helper()
	var all []jobs.Insert
	for range n {
		all = append(all, weight(kind, ids.New(), 2))
	}
	b.enqueue(all...)
}

// end ends n running jobs.
func (r *recorder) end(n int) {
	for range n {
		r.answer <- nil
	}
}

// passes ends light jobs one after another until the heavy one starts, and holds
// that not all have started by then. It returns how many are left.
func (l *ledger) passes(t *testing.T, heavy, light *recorder, running, waiting int) (left int) {
	t.Helper()
	ended := l.back.Load()
	for {
		answer := light.answer
		if running == 0 {
			answer = nil
		}
		select {
		case answer <- nil:
			running--
			ended++
			l.untilBack(ended) // a goroutine that has not come so far yet is in the way of the heavy one
		case j := <-light.got:
			if j.Ref != "heavy" {
				running, waiting = running+1, waiting-1
				continue
			}
			return started(t, running, waiting)
		case <-heavy.got:
			return started(t, running, waiting)
		}
	}
}

func started(t *testing.T, running, waiting int) (left int) {
	t.Helper()
	if running != 0 || waiting == 0 {
		t.Errorf("the heavy one starts beside %d light ones, when %d wait", running, waiting)
	}
	return waiting
}

func heavyStarts(t *testing.T, db *storage.DB) {
	b, l, r := weighed(t, db, 8, 8)
	b.lights("k", 4)
	for range 4 {
		<-r.got
	}
	b.enqueue(weight("k", "heavy", 8))
	l.untilWaits(1)
	b.lights("k", 40)
	left := l.passes(t, newRecorder(), r, 4, 40)
	r.end(1)
	drain(r, left)
	b.drained(0)
}

// drain ends as many jobs as are to start.
func drain(r *recorder, n int) {
	for begun, ended := 0, 0; ended < n; {
		answer := r.answer
		if begun == ended {
			answer = nil
		}
		select {
		case <-r.got:
			begun++
		case answer <- nil:
			ended++
		}
	}
}

// twoKinds is a queue of two kinds that share a ledger.
func twoKinds(t *testing.T, db *storage.DB) (b *bench, l *ledger, heavy, light *recorder) {
	t.Helper()
	l = newLedger(t, 8)
	heavy, light = newRecorder(), newRecorder()
	b = newBench(t, db, jobs.Options{})
	b.Register("heavy", heavy.work, jobs.KindOptions{Admission: l})
	b.Register("light", light.work, jobs.KindOptions{Admission: l})
	b.start()
	t.Cleanup(func() { b.stop(); l.empty(t) })
	b.lights("light", 4)
	for range 4 {
		<-light.got
	}
	b.enqueue(weight("heavy", "heavy", 8))
	l.untilWaits(1)
	return b, l, heavy, light
}

func heavyStartsAcrossKinds(t *testing.T, db *storage.DB) {
	b, l, heavy, light := twoKinds(t, db)
	b.lights("light", 40)
	left := l.passes(t, heavy, light, 4, 40)
	heavy.end(1)
	drain(light, left)
	b.drained(0)
}

// One that does not fit beside what others have for long holds up nobody, and
// starts when they have gone.
func heavyHoldsUpNobody(t *testing.T, db *storage.DB) {
	b, l, r := weighed(t, db, 20, 4)
	others := l.others(t, 12)
	b.enqueue(weight("k", "heavy", 10))
	l.untilWaits(1)
	b.lights("k", 40)
	drain(r, 40)
	others.Release()
	r.next(t, "heavy")
	r.end(1)
	b.drained(0)
}

func otherKindsGoOn(t *testing.T, db *storage.DB) {
	l, r, free := newLedger(t, 1), newRecorder(), newRecorder()
	defer l.others(t, 1).Release()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{Admission: l})
	b.Register("free", free.work, jobs.KindOptions{Workers: 1})
	b.start()
	b.enqueue(weight("k", "waits", 1))
	for i := range 20 {
		b.enqueue(weight("free", fmt.Sprint(i), 1))
	}
	for range 20 {
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
	b, l, _, light := twoKinds(t, db)
	if b.cancel("heavy", "heavy") {
		t.Error("the heavy job runs")
	}
	l.untilWaits(0) // nothing is held for it
	b.lights("light", 20)
	light.end(4)
	drain(light, 20)
	b.drained(0)
}

func wakeStarts(t *testing.T, db *storage.DB) {
	c, r := newStepClock(), newRecorder()
	l := newLedger(t, 4)
	others := l.others(t, 3)
	b := newBench(t, db, jobs.Options{Clock: c})
	free := newRecorder()
	b.Register("k", r.work, jobs.KindOptions{Admission: l})
	b.Register("free", free.work, jobs.KindOptions{})
	b.start()
	b.enqueue(weight("k", "row", 2), weight("free", "row", 0))
	<-free.got
	free.answer <- nil
	l.untilWaits(1)
	asked := l.asked.Load()
	for range 100 {
		c.step(time.Minute)
	}
	if n := l.asked.Load(); n > asked+2 { // the commit and the end of the other job
		t.Errorf("the ledger was asked %d times more", n-asked)
	}
	b.Wake("nobody's")
	others.Release()
	r.next(t, "row")
	r.answer <- nil
	b.drained(0)
	l.empty(t)
}

func neverFits(t *testing.T, db *storage.DB) {
	l, r, end := newLedger(t, 4), newRecorder(), make(chan exhausted, 1)
	b := start(t, db, jobs.KindOptions{Admission: l, Exhausted: tell(end)}, r.work)
	b.enqueue(weight("k", "giant", 5))
	if got := <-end; !errtypes.Is(got.cause, errtypes.Unavailable) || got.job.Ref != "giant" || got.job.Weight != 5 {
		t.Errorf("given up with %+v", got)
	}
	b.enqueue(weight("k", "fits", 4))
	r.next(t, "fits")
	r.answer <- nil
	b.drained(0)
	l.empty(t)
}

func allGiveBack(t *testing.T, db *storage.DB) {
	l := newLedger(t, 1)
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
	l, r := newLedger(t, 4), newRecorder()
	others := l.others(t, 4)
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
	others.Release()
	if got := <-r.got; got.LeaseLost || l.memory.State().Used != 2 {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
	l.empty(t)
}

func manyWait(t *testing.T, db *storage.DB) {
	const all = 50 // three times lookAhead
	b, _, r := weighed(t, db, 4, 100)
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

// oneOfEach is an admission that has a place for one job of each share.
type oneOfEach struct {
	mu    sync.Mutex
	taken map[string]bool
}

func (o *oneOfEach) Reserve(j jobs.Job) (release func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.taken[j.Share] {
		return nil, jobs.ErrNoRoom
	}
	o.taken[j.Share] = true
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.taken, j.Share)
	}, nil
}

func (o *oneOfEach) Await(jobs.Job, func()) (leave func()) { return func() {} }

func (o *oneOfEach) Full() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Collect(maps.Keys(o.taken))
}

func fullShare(t *testing.T, db *storage.DB) {
	const all = 20 // more than lookAhead
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{Workers: 4, Admission: &oneOfEach{taken: map[string]bool{}}}, r.work)
	of := func(share string, n int) jobs.Insert {
		return jobs.Insert{Kind: "k", ProjectID: "p", Ref: fmt.Sprint(share, n), Weight: 1, Share: share}
	}
	for n := range all {
		b.enqueue(of("a", n))
	}
	r.next(t, "a0")
	b.enqueue(of("b", 0))
	r.next(t, "b0") // although it is behind all of the other
	r.end(2)
	drain(r, all-1)
	b.drained(0)
}

// ofProjects is an admission that has a place for one job of each project.
type ofProjects struct{ shares oneOfEach }

func (o *ofProjects) Reserve(j jobs.Job) (release func(), err error) {
	j.Share = j.ProjectID
	return o.shares.Reserve(j)
}

func (o *ofProjects) Await(jobs.Job, func()) (leave func()) { return func() {} }

// Many jobs of many projects wait, which have all that they may have. However many of
// another one come, they are executed.
func fullProjects(t *testing.T, db *storage.DB) {
	const full, more = 17, 20 // each more than lookAhead
	begun, hold, late, waited := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	admission := &ofProjects{oneOfEach{taken: map[string]bool{}}}
	b := start(t, db, jobs.KindOptions{Workers: 100, Admission: admission}, func(ctx context.Context, j jobs.Job) error {
		switch j.Ref {
		case "first":
			begun <- struct{}{}
			select {
			case <-hold:
			case <-ctx.Done():
			}
		case "late":
			late <- struct{}{}
		default:
			waited <- struct{}{}
		}
		return nil
	})
	of := func(project, ref string) jobs.Insert {
		return jobs.Insert{Kind: "k", ProjectID: project, Ref: ref, Key: ids.New(), Weight: 1}
	}
	for i := range full {
		project := fmt.Sprint("full", i)
		b.enqueue(of(project, "first"))
		<-begun
		b.enqueue(of(project, "second"))
	}
	var all []jobs.Insert
	for range more {
		all = append(all, of("late", "late"))
	}
	b.enqueue(all...)
	for n := range more {
		select {
		case <-late:
		case <-time.After(time.Minute):
			t.Fatalf("%d of %d jobs are executed beside projects that have no room", n, more)
		}
	}
	close(hold)
	for range full {
		<-waited
	}
	b.drained(0)
}
