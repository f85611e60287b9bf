package jobstest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

var cancelTests = []test{
	{"a job that waits is removed", false, cancelWaiting},
	{"the context of a job that runs ends, and the job is gone", false, cancelRunning},
	{"a cancel that is rolled back cancels nothing", false, cancelRolledBack},
	{"a canceled worker that fails is called again", false, cancelFails},
	{"a canceled job that is enqueued again runs again", false, cancelAndAgain},
	{"a cancel never falls between claim and start", false, cancelRaces},
	{"a cancel never hits the job enqueued after it", false, cancelHitsOnlyItsOwn},
	{"a cancel by another instance arrives", true, cancelFromAnother},
	{"a cancel that the worker did not see is not lost", true, cancelUnseen},
}

func cancelWaiting(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{})
	b.enqueue(
		jobs.Insert{Kind: "k", Ref: "ready"}, jobs.Insert{Kind: "k", Ref: "delayed", Delay: time.Hour},
		jobs.Insert{Kind: "k", Ref: "stays"}, jobs.Insert{Kind: "other", Ref: "ready"},
	)
	for _, key := range []string{"ready", "delayed", "nobody"} {
		if b.cancel("k", key) {
			t.Errorf("%s runs", key)
		}
	}
	if left := b.left(); left != 2 {
		t.Errorf("%d jobs are left", left)
	}
	b.start()
	if got := <-r.got; got.Ref != "stays" {
		t.Errorf("got %q", got.Ref)
	}
	r.answer <- nil
	b.drained(1)
}

func cancelRunning(t *testing.T, db *storage.DB) {
	for name, end := range map[string]func(context.Context) error{
		"nil": finished, "the error of the context": ended, "the cause": context.Cause,
		"a snooze": func(context.Context) error { return jobs.Snooze(0) },
	} {
		h := newHolder(end)
		b := start(t, db, jobs.KindOptions{}, h.work)
		b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
		<-h.got
		if !b.cancel("k", "row") {
			t.Errorf("%s: not running", name)
		}
		if cause := <-h.cause; cause != jobs.ErrCanceled {
			t.Errorf("%s: cause %v", name, cause)
		}
		b.drained(0)
	}
}

func cancelRolledBack(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{}, func(ctx context.Context, j jobs.Job) error {
		return errors.Join(r.work(ctx, j), ctx.Err())
	})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-r.got
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		running, err := b.Cancel(ctx, tx, "k", "row")
		if !running {
			t.Error("not running")
		}
		return errors.Join(err, errBoom)
	})
	if !errors.Is(err, errBoom) {
		t.Fatal(err)
	}
	r.answer <- nil
	b.drained(0)
}

func cancelFails(t *testing.T, db *storage.DB) {
	h := newHolder(failed)
	b := start(t, db, jobs.KindOptions{Backoff: func(int) time.Duration { return time.Hour }}, h.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-h.got
	b.cancel("k", "row")
	<-h.cause
	if got := <-h.got; got.Attempt != 2 { // without the backoff: its row waits for its end
		t.Errorf("got %+v", got)
	}
	b.cancel("k", "row")
	<-h.cause
	<-h.got
	h.err = finished
	b.cancel("k", "row")
	<-h.cause
	b.drained(0)
}

func cancelAndAgain(t *testing.T, db *storage.DB) {
	canceled, release := make(chan struct{}), make(chan struct{})
	runs := make(chan jobs.Job)
	b := start(t, db, jobs.KindOptions{}, func(ctx context.Context, j jobs.Job) error {
		runs <- j
		<-ctx.Done()
		canceled <- struct{}{}
		<-release
		return ctx.Err()
	})
	first, _ := b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-runs
	b.cancel("k", "row")
	<-canceled
	for i, want := range []bool{true, false} {
		if j, inserted := b.enqueue(jobs.Insert{Kind: "k", Ref: "row"}); inserted != want || j.ID != first.ID {
			t.Errorf("enqueue %d after the cancel: inserted %t, %+v", i, inserted, j)
		}
	}
	release <- struct{}{}
	if got := <-runs; got.Attempt != 1 {
		t.Errorf("got %+v", got)
	}
	b.cancel("k", "row")
	<-canceled
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	b.cancel("k", "row") // takes the second life back
	release <- struct{}{}
	b.drained(0)
}

// cancelRaces cancels jobs at the moment they are claimed. Each must either
// never have run or see the end of its context.
func cancelRaces(t *testing.T, db *storage.DB) {
	var started, saw atomic.Int32
	b := start(t, db, jobs.KindOptions{Workers: 8}, func(ctx context.Context, j jobs.Job) error {
		started.Add(1)
		<-ctx.Done() // hangs if the cancel is lost
		saw.Add(1)
		return ctx.Err()
	})
	var group sync.WaitGroup
	var running atomic.Int32
	for c := range 4 {
		group.Go(func() {
			for i := range 25 {
				ref := fmt.Sprint(c, "-", i)
				b.enqueue(jobs.Insert{Kind: "k", ProjectID: fmt.Sprint(c), Ref: ref})
				if b.cancel("k", ref) {
					running.Add(1)
				}
			}
		})
	}
	group.Wait()
	b.drained(0)
	if started.Load() != saw.Load() || started.Load() != running.Load() {
		t.Errorf("%d started, %d were said to run, %d saw their end", started.Load(), running.Load(), saw.Load())
	}
}

// cancelHitsOnlyItsOwn cancels a job and enqueues it again in one transaction,
// while its worker comes and goes. The worker must get to see the last state.
func cancelHitsOnlyItsOwn(t *testing.T, db *storage.DB) {
	const rounds = 50
	sawLast := make(chan struct{})
	tellOnce := sync.OnceFunc(func() { close(sawLast) })
	b := newBench(t, db, jobs.Options{})
	b.Register("k", func(ctx context.Context, j jobs.Job) error {
		var saw int
		err := db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
			return q.QueryRow(ctx, `SELECT max(n) FROM state`).Scan(&saw)
		})
		if err == nil && saw == rounds {
			tellOnce()
		}
		return err
	}, jobs.KindOptions{Backoff: atOnce})
	b.write(func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `CREATE TABLE state (n INTEGER NOT NULL)`)
		return err
	})
	b.start()
	for n := range rounds {
		b.write(func(ctx context.Context, tx *storage.Tx) error {
			if _, err := tx.Exec(ctx, `INSERT INTO state (n) VALUES ($1)`, n+1); err != nil {
				return err
			}
			if _, err := b.Cancel(ctx, tx, "k", "row"); err != nil {
				return err
			}
			_, inserted, err := b.Enqueue(ctx, tx, jobs.Insert{Kind: "k", Ref: "row"})
			if !inserted {
				t.Error("the canceled job stands in the way")
			}
			return err
		})
	}
	<-sawLast // hangs if the last job was canceled with the one before
	b.stop()
}

func cancelFromAnother(t *testing.T, db *storage.DB) {
	h := newHolder(ended)
	b := start(t, db, jobs.KindOptions{}, h.work)
	other := newBench(t, another(t, db), jobs.Options{})
	other.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-h.got
	if !other.cancel("k", "row") {
		t.Error("not running")
	}
	if cause := <-h.cause; cause != jobs.ErrCanceled {
		t.Errorf("cause %v", cause)
	}
	b.drained(0)
}

func cancelUnseen(t *testing.T, db *storage.DB) {
	r := newRecorder()
	c := newStepClock() // stands still: no wait for a backoff ends
	b := newBench(t, db, jobs.Options{Clock: c})
	b.Register("k", func(ctx context.Context, j jobs.Job) error {
		return r.work(context.WithoutCancel(ctx), j)
	}, jobs.KindOptions{})
	b.start()
	other := newBench(t, another(t, db), jobs.Options{})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-r.got
	other.cancel("k", "row")
	r.answer <- errBoom
	if got := <-r.got; got.Attempt != 2 {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}
