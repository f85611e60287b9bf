package jobstest

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/storage"
)

var processTests = []test{
	{"another process does and cancels", true, otherProcess},
	{"a killed process loses its leases at once", true, killedProcess},
	{"a killed owner frees its jobs, and is buried once", true, killedOwner},
	{"a process that is told to stop gives its jobs back", true, stoppedProcess},
	{"kill -9 three times loses no job", true, killThrice},
}

// patrol is how often these tests look for the dead.
const patrol = 50 * time.Millisecond

// otherProcess enqueues in a process without workers.
func otherProcess(t *testing.T, db *storage.DB) {
	c := startChild(t, db.Dir())
	b := newBench(t, db, jobs.Options{})
	b.enqueue(jobs.Insert{Kind: "hold", Ref: "row"})
	c.expect("holds row 1 false")
	if !b.cancel("hold", "row") {
		t.Error("not running")
	}
	c.expect("ends row " + jobs.ErrCanceled.Error())
	c.end()
	if left := b.left(); left != 0 {
		t.Errorf("%d jobs are left", left)
	}
}

func killedProcess(t *testing.T, db *storage.DB) {
	c := startChild(t, db.Dir())
	r := newRecorder()
	b := newBench(t, db, jobs.Options{Patrol: patrol})
	b.Register("hold", r.work, jobs.KindOptions{})
	b.enqueue(jobs.Insert{Kind: "hold", Ref: "row"})
	c.expect("holds row 1 false")
	b.start()
	c.kill()
	if got := <-r.got; got.Attempt != 2 || !got.LeaseLost || got.OwnerLost {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}

func killedOwner(t *testing.T, db *storage.DB) {
	c := startChild(t, db.Dir())
	r := newRecorder()
	var reaped atomic.Int32
	dead := reaper.New(db, reaper.Options{})
	dead.Register("test", func(_ context.Context, _ *storage.Tx, id string) error {
		if id != c.id {
			t.Errorf("%s is reaped alive", id)
		}
		if reaped.Add(1) == 1 {
			return errBoom // stays for the next patrol
		}
		return nil
	})
	b := newBench(t, db, jobs.Options{Patrol: patrol, Reaper: dead})
	b.Register("k", r.work, jobs.KindOptions{})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row", Owner: c.id})
	b.start()
	c.kill()
	if got := <-r.got; got.Attempt != 1 || got.LeaseLost || !got.OwnerLost || got.Owner != c.id {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
	if reaped.Load() != 2 {
		t.Errorf("reaped %d times", reaped.Load())
	}
}

func stoppedProcess(t *testing.T, db *storage.DB) {
	c := startChild(t, db.Dir())
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("hold", r.work, jobs.KindOptions{})
	b.enqueue(jobs.Insert{Kind: "hold", Ref: "row"})
	c.expect("holds row 1 false")
	b.start()
	c.stdin.Close()
	c.expect("ends row " + jobs.ErrStopping.Error())
	c.end()
	if got := <-r.got; got.Attempt != 1 || got.LeaseLost {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}

func killThrice(t *testing.T, db *storage.DB) { Torture(t, db, 3, 40) }
