package jobstest

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

var stopTests = []test{
	{"stop without start, and twice", false, stopIdle},
	{"stop waits for what runs and starts nothing", false, stopDrains},
	{"what stop cuts off waits for the next start", false, stopCuts},
	{"what ends well although it was cut off is done", false, stopCutFinishes},
	{"start and stop from many goroutines", false, stopStress},
	{"a database that fails at the end is told", false, stopFails},
	{"a database that is busy for a while loses nothing", true, busyDatabase},
}

func stopIdle(t *testing.T, db *storage.DB) {
	b := newBench(t, db, jobs.Options{})
	b.stop()
	b.Register("k", newRecorder().work, jobs.KindOptions{})
	stopped := b.Stopped()
	b.start()
	b.start()
	b.stop()
	<-stopped
	b.stop()
}

// past is a context that has ended.
func past() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// stopping begins to stop without a deadline, and returns once that is known.
func (b *bench) stopping() (done chan error) {
	done = make(chan error, 1)
	go func() { done <- b.Stop(context.Background()) }()
	for b.Start(past()) == nil { // it fails when it would have to wait for the stop
		runtime.Gosched()
	}
	return done
}

func stopDrains(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{Workers: 1}, r.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "runs"}, jobs.Insert{Kind: "k", Ref: "waits"})
	<-r.got
	done := b.stopping()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "late"})
	select {
	case <-done:
		t.Error("stop does not wait")
	default:
	}
	r.answer <- nil
	if err := <-done; err != nil {
		t.Error(err)
	}
	b.drained(2)
}

func stopCuts(t *testing.T, db *storage.DB) {
	h := newHolder(ended)
	b := start(t, db, jobs.KindOptions{MaxAttempts: 1}, h.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	for range 3 { // the attempt does not count
		if got := <-h.got; got.Attempt != 1 || got.LeaseLost {
			t.Errorf("got %+v", got)
		}
		if err := b.Stop(past()); err != nil {
			t.Error(err)
		}
		if cause := <-h.cause; cause != jobs.ErrStopping {
			t.Errorf("cause %v", cause)
		}
		if left := b.left(); left != 1 {
			t.Errorf("%d jobs are left", left)
		}
		b.start()
	}
	<-h.got
	b.cancel("k", "row")
	b.drained(0)
}

func stopCutFinishes(t *testing.T, db *storage.DB) {
	h := newHolder(finished)
	b := start(t, db, jobs.KindOptions{}, h.work)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-h.got
	if err := b.Stop(past()); err != nil {
		t.Error(err)
	}
	b.drained(0)
}

// stopStress starts and stops while jobs come and go. Each must run, and none
// twice: an attempt that is not cut off is not repeated.
func stopStress(t *testing.T, db *storage.DB) {
	const goroutines, rounds, every = 10, 50, 10
	ran := make(chan string, 2*goroutines*rounds)
	b := newBench(t, db, jobs.Options{})
	b.Register("k", func(_ context.Context, j jobs.Job) error { ran <- j.Ref; return nil }, jobs.KindOptions{})
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() {
			for i := range rounds {
				if err := b.Start(t.Context()); err != nil {
					t.Error(err)
				}
				if i%every == 0 {
					b.enqueue(jobs.Insert{Kind: "k", Ref: fmt.Sprint(g, "-", i)})
				}
				b.stop()
			}
		})
	}
	group.Wait()
	b.start()
	seen := map[string]bool{}
	for range goroutines * rounds / every {
		seen[<-ran] = true // hangs if one is lost
	}
	b.drained(0)
	if len(seen) != goroutines*rounds/every || len(ran) != 0 {
		t.Errorf("%d different jobs ran, %d more than once", len(seen), len(ran))
	}
}

// careless returns a started queue whose database is taken away under it: its
// Stop may fail.
func careless(t *testing.T, db *storage.DB, w jobs.Worker) *jobs.Queue {
	t.Helper()
	hub := notify.New(db, notify.Options{})
	q := jobs.New(db, hub, jobs.Options{})
	q.Register("k", w, jobs.KindOptions{MaxAttempts: 1})
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		q.Stop(past())
		hub.Close()
	})
	return q
}

func stopFails(t *testing.T, db *storage.DB) {
	h := newHolder(finished)
	newBench(t, db, jobs.Options{}).enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	q := careless(t, db, h.work)
	<-h.got
	db.Close()
	for range 2 {
		if err := q.Stop(past()); err == nil {
			t.Error("the end of a job was lost in silence")
		}
	}
}

// told is a log handler that tells of each record.
type told chan string

func (c told) Enabled(context.Context, slog.Level) bool { return true }
func (c told) WithAttrs([]slog.Attr) slog.Handler       { return c }
func (c told) WithGroup(string) slog.Handler            { return c }
func (c told) Handle(_ context.Context, r slog.Record) error {
	select {
	case c <- r.Message:
	default:
	}
	return nil
}

func busyDatabase(t *testing.T, db *storage.DB) {
	impatient, err := storage.Open(t.Context(), storage.Options{Dir: db.Dir(), BusyTimeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impatient.Close() })
	r, c, log := newRecorder(), newStepClock(), make(told, 1)
	b := newBench(t, impatient, jobs.Options{Clock: c, Logger: slog.New(log)})
	b.Register("k", r.work, jobs.KindOptions{})
	b.start()
	b.enqueue(jobs.Insert{Kind: "k", Ref: "1"})
	<-r.got
	err = db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		r.answer <- nil // its end cannot be written while this transaction is open
		if message := <-log; message != "the job queue cannot use the database" {
			t.Errorf("told %q", message)
		}
		_, _, err := newBench(t, db, jobs.Options{}).Enqueue(ctx, tx, jobs.Insert{Kind: "k", Ref: "2"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := until(c, r.got, second); got.Ref != "2" {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}
