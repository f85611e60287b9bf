// Package jobstest is the suite that every database under the job queue has to
// pass. Its tests run real queues; those that need a second process start the
// test binary again, for which its TestMain calls [Child] first.
package jobstest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// Open returns a fresh database that is closed when the test ends.
type Open func(t *testing.T) *storage.DB

// Run runs the suite. Of a database that other processes cannot open, those
// parts are left out that need one.
func Run(t *testing.T, open Open) {
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"Enqueue", enqueueTests}, {"Time", timeTests}, {"Order", orderTests}, {"Admission", admissionTests},
		{"Attempts", attemptTests}, {"Cancel", cancelTests}, {"Stop", stopTests}, {"Lease", leaseTests}, {"Processes", processTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, one := range group.tests {
				t.Run(one.name, func(t *testing.T) {
					t.Parallel()
					db := open(t)
					if one.shared && db.Dir() == "" {
						t.Skip("nobody else can open a database in memory")
					}
					one.run(t, db)
				})
			}
		})
	}
}

type test struct {
	name   string
	shared bool // needs a database that can be opened a second time
	run    func(t *testing.T, db *storage.DB)
}

// bench is a queue under test.
type bench struct {
	*jobs.Queue
	t  *testing.T
	db *storage.DB
}

// newBench returns a queue that is stopped when the test ends.
func newBench(t *testing.T, db *storage.DB, o jobs.Options) *bench {
	t.Helper()
	hub := notify.New(db, notify.Options{})
	b := &bench{jobs.New(db, hub, o), t, db}
	t.Cleanup(func() {
		if err := b.Stop(past()); err != nil {
			t.Error(err)
		}
		hub.Close()
	})
	return b
}

// start starts the queue with one kind, "k".
func start(t *testing.T, db *storage.DB, o jobs.KindOptions, w jobs.Worker) *bench {
	t.Helper()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", w, o)
	b.start()
	return b
}

func (b *bench) start() {
	b.t.Helper()
	if err := b.Start(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// stop drains without a deadline: what runs comes to its end and is written.
func (b *bench) stop() {
	b.t.Helper()
	if err := b.Stop(context.Background()); err != nil {
		b.t.Error(err)
	}
}

// write runs a transaction that must succeed.
func (b *bench) write(fn func(ctx context.Context, tx *storage.Tx) error) {
	b.t.Helper()
	if err := b.db.Write(context.Background(), fn); err != nil {
		b.t.Fatal(err)
	}
}

// enqueue writes jobs in one transaction and returns the last.
func (b *bench) enqueue(all ...jobs.Insert) (last jobs.Job, inserted bool) {
	b.t.Helper()
	b.write(func(ctx context.Context, tx *storage.Tx) (err error) {
		for _, in := range all {
			if last, inserted, err = b.Enqueue(ctx, tx, in); err != nil {
				return err
			}
		}
		return nil
	})
	return last, inserted
}

// cancel cancels in a transaction of its own.
func (b *bench) cancel(kind, key string) (running bool) {
	b.t.Helper()
	b.write(func(ctx context.Context, tx *storage.Tx) (err error) {
		running, err = b.Cancel(ctx, tx, kind, key)
		return err
	})
	return running
}

// left returns how many jobs the table has.
func (b *bench) left() (n int) {
	b.t.Helper()
	err := b.db.Read(context.Background(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT count(*) FROM jobs`).Scan(&n)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// drained stops the queue and expects n jobs in the table.
func (b *bench) drained(n int) {
	b.t.Helper()
	b.stop()
	if left := b.left(); left != n {
		b.t.Errorf("%d jobs are left, want %d", left, n)
	}
}

// recorder is a worker that hands on the jobs it gets and answers as told.
type recorder struct {
	got    chan jobs.Job
	answer chan error
}

func newRecorder() *recorder { return &recorder{make(chan jobs.Job), make(chan error)} }

func (r *recorder) work(ctx context.Context, j jobs.Job) error {
	r.got <- j
	return <-r.answer
}

// holder is a worker that hands on the job and waits for the end of its
// context, whose cause it hands on, too.
type holder struct {
	got   chan jobs.Job
	cause chan error
	err   func(ctx context.Context) error // what the worker returns
}

func newHolder(err func(ctx context.Context) error) *holder {
	return &holder{make(chan jobs.Job), make(chan error, 1), err}
}

func (h *holder) work(ctx context.Context, j jobs.Job) error {
	select {
	case h.got <- j:
	case <-ctx.Done():
	}
	<-ctx.Done()
	h.cause <- context.Cause(ctx)
	return h.err(ctx)
}

// atOnce is a backoff that does not wait.
func atOnce(int) time.Duration { return 0 }

var (
	errBoom = errors.New("boom")

	// What a holder returns when its context has ended.
	ended    = func(ctx context.Context) error { return ctx.Err() }
	finished = func(context.Context) error { return nil }
	failed   = func(context.Context) error { return errBoom }
)
