package jobstest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

var attemptTests = []test{
	{"a failed attempt is repeated until there are no more", false, retriesEnd},
	{"a retry waits for its backoff", false, retryWaits},
	{"a job can have its own number of attempts", false, ownAttempts},
	{"the domain can fail when a job is given up", false, exhaustedFails},
	{"a panic and the end of the goroutine are failures", false, panicIsFailure},
	{"a panic where a job is given up is a failure", false, exhaustedPanics},
	{"a snooze is no attempt", false, snoozeIsNoAttempt},
	{"a discarded job is not tried again", false, discardEnds},
}

// exhausted hands on what a kind's Exhausted gets.
type exhausted struct {
	job   jobs.Job
	cause error
}

func tell(to chan<- exhausted) func(context.Context, *storage.Tx, jobs.Job, error) error {
	return func(ctx context.Context, tx *storage.Tx, j jobs.Job, cause error) error {
		tx.AfterCommit(func() { to <- exhausted{j, cause} })
		return nil
	}
}

func retriesEnd(t *testing.T, db *storage.DB) {
	r, end := newRecorder(), make(chan exhausted, 1)
	var backoffs []int
	b := start(t, db, jobs.KindOptions{
		MaxAttempts: 3,
		Backoff:     func(n int) time.Duration { backoffs = append(backoffs, n); return 0 },
		Exhausted:   tell(end),
	}, r.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	for attempt := 1; attempt <= 3; attempt++ {
		if got := <-r.got; got.Attempt != attempt || got.MaxAttempts != 3 {
			t.Errorf("attempt %d is %+v", attempt, got)
		}
		r.answer <- fmt.Errorf("attempt %d: %w", attempt, errBoom)
	}
	if got := <-end; !errors.Is(got.cause, errBoom) || got.cause.Error() != "attempt 3: boom" || got.job.Ref != "row" {
		t.Errorf("given up with %+v", got)
	}
	b.drained(0)
	if fmt.Sprint(backoffs) != "[1 2]" {
		t.Errorf("backoff was asked for after attempts %v", backoffs)
	}
}

func retryWaits(t *testing.T, db *storage.DB) {
	c := newStepClock()
	at := make(chan time.Time, 2)
	b := newBench(t, db, jobs.Options{Clock: c})
	b.Register("k", func(_ context.Context, j jobs.Job) error {
		at <- c.Now()
		if j.Attempt == 1 {
			return errBoom
		}
		return nil
	}, jobs.KindOptions{Backoff: func(int) time.Duration { return time.Minute }})
	b.start()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	first := <-at
	if second := until(c, at, time.Second); second.Sub(first) < time.Minute {
		t.Errorf("repeated after %v", second.Sub(first))
	}
	b.drained(0)
}

func ownAttempts(t *testing.T, db *storage.DB) {
	r, end := newRecorder(), make(chan exhausted, 1)
	b := start(t, db, jobs.KindOptions{Backoff: atOnce, Exhausted: tell(end)}, r.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row", MaxAttempts: 1})
	<-r.got
	r.answer <- errBoom
	if got := <-end; got.job.Attempt != 1 || got.job.MaxAttempts != 1 {
		t.Errorf("given up: %+v", got.job)
	}
	b.drained(0)
}

func exhaustedFails(t *testing.T, db *storage.DB) {
	failures := 2
	given := make(chan exhausted, 1)
	b := start(t, db, jobs.KindOptions{
		MaxAttempts: 1, Backoff: atOnce,
		Exhausted: func(ctx context.Context, tx *storage.Tx, j jobs.Job, cause error) error {
			if failures--; failures >= 0 {
				return errors.New("the domain fails")
			}
			return tell(given)(ctx, tx, j, cause)
		},
	}, func(context.Context, jobs.Job) error { return errBoom })
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	if got := <-given; !errors.Is(got.cause, errBoom) || got.job.Attempt != 3 {
		t.Errorf("given up: %+v", got)
	}
	b.drained(0)
}

func panicIsFailure(t *testing.T, db *storage.DB) {
	end := make(chan exhausted, 1)
	b := start(t, db, jobs.KindOptions{MaxAttempts: 2, Backoff: atOnce, Exhausted: tell(end)},
		func(_ context.Context, j jobs.Job) error {
			if j.Attempt == 1 {
				runtime.Goexit()
			}
			panic("boom")
		})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	if got := <-end; got.cause == nil || got.job.Attempt != 2 {
		t.Errorf("given up: %+v", got)
	}
	b.drained(0)
}

func exhaustedPanics(t *testing.T, db *storage.DB) {
	given := make(chan exhausted, 1)
	first := true
	b := start(t, db, jobs.KindOptions{
		MaxAttempts: 1, Backoff: atOnce,
		Exhausted: func(ctx context.Context, tx *storage.Tx, j jobs.Job, cause error) error {
			if first {
				first = false
				panic("boom")
			}
			return tell(given)(ctx, tx, j, cause)
		},
	}, func(context.Context, jobs.Job) error { return errBoom })
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-given
	b.drained(0)
}

func snoozeIsNoAttempt(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{MaxAttempts: 2}, r.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	for range 5 {
		if got := <-r.got; got.Attempt != 1 {
			t.Errorf("attempt %d", got.Attempt)
		}
		r.answer <- fmt.Errorf("not yet: %w", jobs.Snooze(time.Millisecond))
	}
	<-r.got
	r.answer <- nil
	b.drained(0)
}

func discardEnds(t *testing.T, db *storage.DB) {
	end := make(chan exhausted, 1)
	b := start(t, db, jobs.KindOptions{Exhausted: tell(end)},
		func(context.Context, jobs.Job) error { return jobs.Discard(errBoom) })
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	if got := <-end; got.cause != errBoom || got.job.Attempt != 1 {
		t.Errorf("given up: %+v", got)
	}
	b.drained(0)
}
