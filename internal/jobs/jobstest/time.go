package jobstest

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

var timeTests = []test{
	{"a delayed job waits for its time", false, delayIsKept},
	{"a delay outlives a restart", false, delayOutlivesRestart},
	{"a job starts at its time, and at once when that has passed", false, timeIsKept},
	{"a time outlives a restart", false, timeOutlivesRestart},
	{"a clock that is set forward past the time starts the job within a minute", false, clockIsSetForward},
	{"a clock that is set back makes the job wait for its time", false, clockIsSetBack},
}

// timed is a queue on a clock of its own whose worker tells when it started.
func timed(t *testing.T, db *storage.DB) (b *bench, c *stepClock, started chan time.Time) {
	t.Helper()
	c, started = newStepClock(), make(chan time.Time, 2)
	b = newBench(t, db, jobs.Options{Clock: c})
	b.Register("k", func(context.Context, jobs.Job) error { started <- c.Now(); return nil }, jobs.KindOptions{})
	return b, c, started
}

func delayIsKept(t *testing.T, db *storage.DB) {
	c := newStepClock()
	at := make(chan time.Time, 2)
	b := newBench(t, db, jobs.Options{Clock: c})
	b.Register("k", func(context.Context, jobs.Job) error { at <- c.Now(); return nil }, jobs.KindOptions{})
	b.start()
	begun := c.Now()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "later", Delay: time.Hour}, jobs.Insert{Kind: "k", Ref: "sooner", Delay: time.Minute})
	for _, delay := range []time.Duration{time.Minute, time.Hour} {
		if ran := until(c, at, 10*time.Second); ran.Before(begun.Add(delay)) {
			t.Errorf("ran after %v, want %v", ran.Sub(begun), delay)
		}
	}
	b.drained(0)
}

func delayOutlivesRestart(t *testing.T, db *storage.DB) {
	c := newStepClock()
	at := make(chan time.Time, 1)
	b := newBench(t, db, jobs.Options{Clock: c})
	b.Register("k", func(context.Context, jobs.Job) error { at <- c.Now(); return nil }, jobs.KindOptions{})
	begun := c.Now()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row", Delay: time.Minute})
	b.start()
	if ran := until(c, at, time.Second); ran.Before(begun.Add(time.Minute)) {
		t.Errorf("ran after %v", ran.Sub(begun))
	}
}

func timeIsKept(t *testing.T, db *storage.DB) {
	b, c, started := timed(t, db)
	b.start()
	begun := c.Now()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "passed", At: begun.Add(-time.Hour)})
	if ran := <-started; !ran.Equal(begun) {
		t.Errorf("what has passed ran at %v", ran)
	}
	b.enqueue(
		jobs.Insert{Kind: "k", Ref: "later", At: begun.Add(time.Hour).In(time.FixedZone("x", 3600))},
		jobs.Insert{Kind: "k", Ref: "sooner", At: begun.Add(time.Minute)},
	)
	for _, at := range []time.Duration{time.Minute, time.Hour} {
		if ran := until(c, started, 10*time.Second); ran.Before(begun.Add(at)) {
			t.Errorf("ran after %v, want %v", ran.Sub(begun), at)
		}
	}
	b.drained(0)
}

func timeOutlivesRestart(t *testing.T, db *storage.DB) {
	b, c, started := timed(t, db)
	at := c.Now().Add(90 * time.Minute)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row", At: at})
	b.start()
	b.stop()
	b.start()
	if ran := until(c, started, 10*time.Second); ran.Before(at) {
		t.Errorf("ran %v early", at.Sub(ran))
	}
	b.drained(0)
}

func clockIsSetForward(t *testing.T, db *storage.DB) {
	b, c, started := timed(t, db)
	b.start()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row", At: c.Now().Add(24 * time.Hour)})
	c.step(time.Second)
	c.set(25 * time.Hour)
	for range 61 { // the loop wakes within a minute, whatever it waits for
		c.step(time.Second)
	}
	<-started
	b.drained(0)
}

func clockIsSetBack(t *testing.T, db *storage.DB) {
	b, c, started := timed(t, db)
	b.start()
	at := c.Now().Add(time.Minute)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row", At: at})
	c.set(-time.Hour)
	if ran := until(c, started, 10*time.Second); ran.Before(at) {
		t.Errorf("ran %v early", at.Sub(ran))
	}
	b.drained(0)
}
