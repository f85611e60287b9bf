package jobs

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage"
)

// Queue is the jobs of a database and the workers of this process. Of one
// storage.DB only one queue may be started.
type Queue struct {
	db      *storage.DB
	hub     *notify.Hub
	opts    Options
	kinds   map[string]*kind
	mail    *mailbox
	running *table
	runner  lifecycle.Runner
	lazy    atomic.Bool // the first Enqueue starts the workers
	failure lastError
	holds   atomic.Int32 // while above 0 no job is taken
	metrics metrics
	parents telemetry.Parents // of jobs that this process has enqueued
}

// kind is what was registered under a name.
type kind struct {
	name   string
	worker Worker
	opts   KindOptions
}

// New returns a queue on the database. It starts nothing. The hub tells it of
// jobs that other processes enqueue and cancel; close it after Stop.
func New(db *storage.DB, hub *notify.Hub, o Options) *Queue {
	q := &Queue{
		db:      db,
		hub:     hub,
		opts:    o.withDefaults(db),
		kinds:   map[string]*kind{},
		mail:    newMailbox(),
		running: newTable(),
	}
	q.metrics = newMetrics(q)
	q.opts.Reaper.Register("jobs", q.reaped)
	return q
}

// Register says who does the jobs of a kind. It must be called before Start
// and once for a kind; anything else is a fault of the program and panics.
// Jobs of other kinds wait for a process that knows them. Metrics call a kind by
// what stands before a slash in its name.
func (q *Queue) Register(name string, w Worker, o KindOptions) {
	if _, twice := q.kinds[name]; twice || name == "" || len(name) > maxKind || w == nil || q.runner.Running() {
		panic(fmt.Sprintf("jobs: Register(%q): no name, no worker, registered twice or after Start", name))
	}
	q.kinds[name] = &kind{name: name, worker: w, opts: o.withDefaults()}
}

// Enqueue writes a job in the caller's transaction and wakes a worker once it
// is committed. If an unfinished job of the kind has the key, that one is
// returned and inserted is false. A job that runs is unfinished, and its
// worker may have looked at the row already: a worker that wants to be called
// again returns [Snooze]. Error kind Invalid for a field out of its range.
func (q *Queue) Enqueue(ctx context.Context, tx *storage.Tx, in Insert) (j Job, inserted bool, err error) {
	defer errtypes.Wrap(&err, "jobs.Enqueue(%q, %q)", in.Kind, in.Ref)
	in = in.withDefaults()
	if err := in.validate(); err != nil {
		return Job{}, false, err
	}
	now := q.opts.Clock.Now()
	j, inserted, err = insertJob(ctx, tx, ids.New(), in, now)
	if err != nil {
		return Job{}, false, err
	}
	tx.AfterCommit(func() {
		if inserted {
			q.parents.Keep(j.ID, q.opts.Telemetry.Parent(ctx))
		}
		if due := in.due(now); inserted && !due.IsZero() {
			q.mail.postDue(due)
		} else if inserted {
			q.mail.postReady(in.Kind)
		}
		q.startIfLazy()
	})
	return j, inserted, nil
}

// Cancel ends the job with the key. A job that waits is removed, and running
// is false, as it is without such a job: no worker will look at the row, so
// the caller writes its end, in this transaction. Of a job that runs the
// worker's context is canceled with [ErrCanceled], after the commit, in
// another process when that sees the change; running is true: the worker
// writes the end. Should the worker's process die before, the job is given to
// another worker, with LeaseLost.
func (q *Queue) Cancel(ctx context.Context, tx *storage.Tx, kind, key string) (running bool, err error) {
	defer errtypes.Wrap(&err, "jobs.Cancel(%q, %q)", kind, key)
	id, running, err := cancelJob(ctx, tx, kind, key)
	switch k := q.kinds[kind]; {
	case running:
		tx.AfterCommit(func() { q.running.cancel(id) })
	case k != nil && k.opts.Admission != nil:
		tx.AfterCommit(func() { q.Wake(kind) }) // others may have waited behind it
	}
	return running, err
}

// Done removes the job in the transaction of its worker, which then returns
// nil: what else the transaction writes happens exactly once. [ErrLeaseLost]
// says that the job is another's now; the transaction must then not commit.
func (q *Queue) Done(ctx context.Context, tx *storage.Tx, j Job) (err error) {
	defer errtypes.Wrap(&err, "jobs.Done(%q, %q)", j.Kind, j.Ref)
	e := q.running.get(leaseID{j.ID, j.lease})
	if e == nil {
		return ErrLeaseLost
	}
	e.ending.Store(true)
	left, err := removeJob(ctx, tx, j, q.db.InstanceID())
	switch {
	case err == nil && left == lost:
		return ErrLeaseLost
	case left == ready:
		tx.AfterCommit(func() { q.mail.postReady(j.Kind) })
	}
	return err
}

// Held confirms in a transaction of its worker that it still has the job. Else
// it is [ErrLeaseLost], and the transaction must not commit: what a process
// writes that was taken for dead would meet what another does.
func (q *Queue) Held(ctx context.Context, tx *storage.Tx, j Job) (err error) {
	defer errtypes.Wrap(&err, "jobs.Held(%q, %q)", j.Kind, j.Ref)
	held, err := beatOne(ctx, tx, j, q.db.InstanceID())
	if err == nil && !held {
		return ErrLeaseLost
	}
	return err
}

// Start starts the workers, unless they run. It returns at once, except that
// it waits for an earlier Stop; the context bounds only that. A stopped queue
// can be started again.
func (q *Queue) Start(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "jobs.Start")
	q.lazy.Store(false)
	_, err = q.runner.Start(ctx, q.loop)
	return err
}

// StartLazily starts the workers if a job waits in the database, else at the
// first Enqueue of this process. Until then nothing runs, and jobs that other
// processes enqueue are not seen.
func (q *Queue) StartLazily(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "jobs.StartLazily")
	q.lazy.Store(true) // first: a job that is enqueued meanwhile starts them
	var waiting bool
	err = q.db.Read(ctx, func(ctx context.Context, qu storage.Querier) error {
		waiting, err = hasJobs(ctx, qu)
		return err
	})
	if err != nil || !waiting {
		return err
	}
	return q.Start(ctx)
}

// startIfLazy runs after a commit and does not wait: a queue that is being
// stopped stays stopped.
func (q *Queue) startIfLazy() {
	if q.lazy.CompareAndSwap(true, false) {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		q.runner.Start(ended, q.loop)
	}
}

// Started returns a channel that is closed once the workers have been started.
func (q *Queue) Started() <-chan struct{} { return q.runner.Started() }

// Stopped returns a channel that is closed once the workers have been stopped.
func (q *Queue) Stopped() <-chan struct{} { return q.runner.Stopped() }

// Stop lets no new job start and waits for those that run. When ctx ends
// before, their contexts are canceled with [ErrStopping], and Stop still waits
// for the workers to return; a job that was cut off waits for the next Start.
// It is idempotent, and what was never started is stopped. A worker must not
// call it. An error says that the database could not be told how some jobs
// ended; their leases are lost, and they will be tried again.
func (q *Queue) Stop(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "jobs.Stop")
	q.lazy.Store(false)
	q.runner.Stop(ctx, ErrStopping)
	return q.failure.get()
}

// lastError is how the last run of the loop ended.
type lastError struct {
	mu  sync.Mutex
	err error
}

func (l *lastError) set(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

func (l *lastError) get() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
