package actors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

// EventName is what a run is told.
type EventName string

// The events.
const (
	// Migrating: the host closes. A handler that has [Event].Remaining and no need for
	// more ends as it would; one that returns what [Run.Reboot] returns goes on after the
	// next start, as one does that is broken off then.
	Migrating EventName = "migrating"
	// AbortRequested: the run is aborted gracefully, and broken off after
	// [Event].Remaining.
	AbortRequested EventName = "aborting"
	// PersistState comes with each of those: what is not to be lost is to be kept.
	PersistState EventName = "persistState"
)

// Event is something that a run is told.
type Event struct {
	Name EventName
	// Remaining is how much time is left.
	Remaining time.Duration
}

// runner executes a program: a Go function, or a process of a build.
type runner interface {
	// run executes a process of a run. When it returns, the process has ended, or is
	// left to itself. It must return soon after the context has ended.
	run(ctx context.Context, p *process) exit
}

// exit is how a process ended.
type exit struct {
	// code is 0 for a success, and below 0 where there was no process to have one.
	code    int
	message string
}

func (x exit) end() runEnd {
	e := runEnd{status: Succeeded, exit: &x.code, message: x.message}
	if x.code != 0 {
		e.status = Failed
	}
	if x.code < 0 {
		e.exit = nil
	}
	return e
}

// process is one execution of a program for a run, which may have several, one after
// the other.
type process struct {
	s       *service
	attempt execution.Attempt[runRow]
	row     runRow
	log     *joblog.Log
	events  chan Event
	meter   atomic.Pointer[meter] // nil for what is not measured
}

func (s *service) newProcess(a execution.Attempt[runRow], r runRow, log *joblog.Log) *process {
	const waiting = 16
	return &process{s: s, attempt: a, row: r, log: log, events: make(chan Event, waiting)}
}

// errReplaced is why a process ends that another one follows.
var errReplaced = errors.New("actors: another process of the run follows")

// run executes the process and watches over it. When it returns nothing of it goes on
// but a handler that heeds nothing.
func (p *process) run(ctx context.Context) exit {
	defer p.s.live.add(p)()
	ctx, cancel := context.WithCancelCause(ctx)
	var watchers sync.WaitGroup
	watchers.Go(func() { p.watchTurns(ctx, cancel) })
	watchers.Go(func() { p.watchEnd(ctx) })
	x := p.s.runnerOf(p.row).run(ctx, p)
	cancel(context.Canceled)
	watchers.Wait()
	return x
}

// watchTurns ends the process when another one is asked for.
func (p *process) watchTurns(ctx context.Context, cancel context.CancelCauseFunc) {
	_ = p.s.executorOf(p.row.kind).Follow(ctx, p.row.ID, func() (done bool, err error) {
		turn, err := storage.ReadOne(ctx, p.s.conf.DB, func(ctx context.Context, q storage.Querier) (int64, error) { return findTurn(ctx, q, p.row.ID) })
		if err == nil && turn > p.row.turn {
			cancel(errReplaced)
			return true, nil
		}
		return errors.Is(err, storage.ErrNoRow), nil
	})
}

// watchEnd tells the process that it is aborted, and its run why it is broken off.
func (p *process) watchEnd(ctx context.Context) {
	select {
	case <-p.attempt.Asked:
		p.log.Append(joblog.System, "ACTOR: The run is aborted gracefully")
		p.tell(Event{AbortRequested, p.s.conf.Limits.AbortGrace})
		<-ctx.Done()
	case <-ctx.Done():
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, jobs.ErrCanceled):
		p.log.Append(joblog.System, "ACTOR: The run is aborted")
	case isMigration(cause):
		p.log.Append(joblog.System, "ACTOR: The host of the run closes")
	case errors.Is(cause, execution.ErrTimedOut):
		p.log.Append(joblog.System, fmt.Sprintf("ACTOR: The run has reached its time-out of %d seconds and is ended; its options can give it more", int64(p.row.timeout().Seconds())))
		p.timedOut(context.WithoutCancel(ctx))
	}
}

// timedOut makes the run TIMING-OUT.
func (p *process) timedOut(ctx context.Context) {
	err := p.s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		p.s.executorOf(p.row.kind).Changed(tx, p.row.ID)
		return timeOut(ctx, tx, p.row.ID)
	})
	if err != nil && !errtypes.Is(err, errtypes.Unavailable) {
		p.s.conf.Logger.Warn("actors: it cannot be written that a run times out", "run", p.row.ID, "error", err)
	}
}

// tell tells the process something, unless it has not heard of much before.
func (p *process) tell(e Event) {
	for _, e := range []Event{e, {PersistState, e.Remaining}} {
		select {
		case p.events <- e:
		default:
		}
	}
}

// live are the processes of this service.
type live struct {
	mu   sync.Mutex
	all  map[*process]bool
	told []Event // what those are told that come later
}

func (l *live) add(p *process) (remove func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all[p] = true
	for _, e := range l.told {
		p.tell(e)
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.all, p)
	}
}

// usage is what a run takes now that is executed here, beside what it took before.
func (l *live) usage(r RunInfo) Usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.all {
		if m := p.meter.Load(); m != nil && p.row.ID == r.ID && !r.Status.Final() {
			return r.Stats.Usage.and(m.now())
		}
	}
	return r.Stats.Usage
}

// tell tells all something, those that come later, too.
func (l *live) tell(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = append(l.told, e)
	for p := range l.all {
		p.tell(e)
	}
}

// closing tells whether the service is being closed.
type closing struct {
	mu    sync.Mutex
	begun bool
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

func (c *closing) begin() (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, c.begun = !c.begun, true
	return first
}

func (c *closing) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.begun {
		return errClosing
	}
	return nil
}

func (s *service) Close(ctx context.Context) error {
	if s.closing.begin() {
		left := time.Duration(0)
		if by, ok := ctx.Deadline(); ok {
			left = max(0, time.Until(by))
		}
		s.live.tell(Event{Migrating, left})
		s.endpoint.close()
	}
	return nil
}
