package jobstest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

var leaseTests = []test{
	{"a lease whose counter stands still is lost", true, hangLosesLease},
	{"a lease that beats is kept", true, beatKeepsLease},
	{"an observer that was held up begins anew", true, heldUpObserver},
	{"the lease of an instance that is gone is lost at once", true, goneLosesLease},
	{"a job whose processes die each time is given up", true, deathsAreCounted},
	{"what an earlier queue of the instance left is taken over", false, leftIsTakenOver},
	{"a worker can make sure that it has the job", false, heldIsTold},
	{"heartbeats are written for all jobs and only while there are any", true, beatsAreFew},
}

const (
	leaseTime = 30 * time.Second // the default
	second    = time.Second
)

// twoInstances starts a queue on another instance that has the job "row", and
// a queue on db that watches it. Each has a clock of its own.
func twoInstances(t *testing.T, db *storage.DB) (h *holder, holds *stepClock, r *recorder, b *bench, watches *stepClock) {
	t.Helper()
	h, holds = newHolder(finished), newStepClock()
	o := newBench(t, another(t, db), jobs.Options{Clock: holds})
	o.Register("k", h.work, jobs.KindOptions{Workers: 1}) // no hands for the job that it loses
	o.start()
	o.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-h.got
	r, watches = newRecorder(), newStepClock()
	b = newBench(t, db, jobs.Options{Clock: watches})
	b.Register("k", r.work, jobs.KindOptions{})
	b.start()
	return h, holds, r, b, watches
}

func hangLosesLease(t *testing.T, db *storage.DB) {
	h, holds, r, b, watches := twoInstances(t, db)
	begun := watches.Now()
	got := until(watches, r.got, second)
	if !got.LeaseLost || got.Attempt != 2 || got.OwnerLost {
		t.Errorf("got %+v", got)
	}
	if waited := watches.Now().Sub(begun); waited < leaseTime {
		t.Errorf("lost after %v", waited)
	}
	if cause := until(holds, h.cause, second); cause != jobs.ErrLeaseLost { // wakes from its hang
		t.Errorf("cause %v", cause)
	}
	if left := b.left(); left != 1 {
		t.Error("who lost the lease removed the job")
	}
	r.answer <- nil
	b.drained(0)
}

func (r *recorder) gotNothing(t *testing.T, why string) {
	t.Helper()
	select {
	case got := <-r.got:
		t.Fatalf("%s: got %+v", why, got)
	default:
	}
}

func beatKeepsLease(t *testing.T, db *storage.DB) {
	h, holds, r, b, watches := twoInstances(t, db)
	for range 100 {
		holds.step(second)
		watches.step(second)
	}
	r.gotNothing(t, "a living lease was taken")
	b.cancel("k", "row")
	if cause := <-h.cause; cause != jobs.ErrCanceled {
		t.Errorf("cause %v", cause)
	}
}

func heldUpObserver(t *testing.T, db *storage.DB) {
	_, _, r, _, watches := twoInstances(t, db)
	watches.step(second)
	watches.step(second)
	watches.step(time.Hour) // nobody had the chance to beat
	watches.step(second)
	r.gotNothing(t, "after a pause of the observer")
	begun := watches.Now()
	until(watches, r.got, second)
	if waited := watches.Now().Sub(begun); waited < leaseTime-5*second {
		t.Errorf("lost %v after the pause", waited)
	}
	r.answer <- nil
}

func goneLosesLease(t *testing.T, db *storage.DB) {
	h, r := newHolder(finished), newRecorder()
	other := another(t, db)
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	careless(t, other, h.work)
	<-h.got
	b.start()
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-r.got; !got.LeaseLost || got.Attempt != 2 {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}

func deathsAreCounted(t *testing.T, db *storage.DB) {
	h, end := newHolder(finished), make(chan exhausted, 1)
	b := newBench(t, db, jobs.Options{})
	b.Register("k", newRecorder().work, jobs.KindOptions{Exhausted: tell(end)})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row", MaxAttempts: 1})
	for attempt := 1; attempt <= 2; attempt++ {
		other := another(t, db)
		q := careless(t, other, h.work)
		// Beyond its attempts, somebody still gets to look at the lost lease.
		if got := <-h.got; got.Attempt != attempt || got.LeaseLost != (attempt > 1) {
			t.Errorf("attempt %d is %+v", attempt, got)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		q.Stop(past())
		<-h.cause
	}
	b.start()
	if got := <-end; !errors.Is(got.cause, jobs.ErrLeaseLost) {
		t.Errorf("given up with %v", got.cause)
	}
	b.drained(0)
}

func leftIsTakenOver(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	b.write(func(ctx context.Context, tx *storage.Tx) error { // as if its end could not be written
		_, err := tx.Exec(ctx, `UPDATE jobs SET state = 'running', attempt = 1, lease = 1, runner = $1`, db.InstanceID())
		return err
	})
	b.start()
	if got := <-r.got; !got.LeaseLost || got.Attempt != 2 {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}

func heldIsTold(t *testing.T, db *storage.DB) {
	told, goOn := make(chan error), make(chan struct{})
	b := newBench(t, db, jobs.Options{})
	b.Register("k", func(ctx context.Context, j jobs.Job) error {
		for range 2 {
			told <- db.Write(context.Background(), func(ctx context.Context, tx *storage.Tx) error { return b.Held(ctx, tx, j) })
			<-goOn
		}
		return nil
	}, jobs.KindOptions{})
	b.start()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	if err := <-told; err != nil {
		t.Error(err)
	}
	b.write(func(ctx context.Context, tx *storage.Tx) error { // as another instance takes it
		_, err := tx.Exec(ctx, `UPDATE jobs SET lease = lease + 1`)
		return err
	})
	goOn <- struct{}{}
	if err := <-told; !errors.Is(err, jobs.ErrLeaseLost) {
		t.Errorf("after the lease is lost: %v", err)
	}
	close(goOn)
}

func beatsAreFew(t *testing.T, db *storage.DB) {
	r, c := newRecorder(), newStepClock()
	b := newBench(t, db, jobs.Options{Clock: c})
	b.Register("k", r.work, jobs.KindOptions{})
	b.start()
	observer := another(t, db)
	version := func() int64 {
		v, err := observer.ForeignVersion(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	idle := func() {
		t.Helper()
		before := version()
		for range 100 {
			c.step(second)
		}
		if version() != before {
			t.Error("an idle queue writes")
		}
	}
	idle()
	b.enqueue(series("p", 3)...)
	for range 3 {
		<-r.got
	}
	for range 12 {
		c.step(second)
	}
	var least, most int
	err := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT min(beat), max(beat) FROM jobs`).Scan(&least, &most)
	})
	if err != nil || least != most || least == 0 || least > 3 { // the clock may run ahead of the loop by some steps
		t.Errorf("%d to %d heartbeats in two intervals, %v", least, most, err)
	}
	for range 3 {
		r.answer <- nil
	}
	b.drained(0)
	b.start()
	idle()
}
