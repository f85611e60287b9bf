package jobs

import (
	"context"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/notify"
)

// topic wakes the loop when an instance was reaped. Other own commits use the
// mailbox, and the hub wakes all topics for those of other processes.
const topic = "jobs"

// retryAfter is how long the loop waits when the database has failed it.
const retryAfter = time.Second

// longestSleep bounds the wait for a delayed job, because the wall clock that
// says when it is due may be set meanwhile, and because timers stand still while
// the machine is suspended.
const longestSleep = time.Minute

// loop is the goroutine that owns the leases of this process: it alone claims,
// settles, beats and patrols. It sleeps without a timer while there is nothing
// to do.
type loop struct {
	*Queue
	run     *lifecycle.Run
	ctx     context.Context // for the database: outlives the run's own
	timer   clock.Timer
	workers sync.WaitGroup

	hands    map[string]*hands // by kind
	lines    map[Admission]line
	places   map[Admission]map[string]func() // how they are left, by job
	active   int                             // workers that have not returned
	ended    []outcome                       // of those that have, not yet written
	stopping bool
	hurry    func() // ends the hurry of the hub; nil while nothing runs

	fresh    bool      // has not looked yet
	leftover bool      // an earlier queue of this instance left leases
	foreign  bool      // another process may have changed something
	orphaned bool      // a job has lost its lease
	due      time.Time // of the first delayed job; zero without one
	retryAt  time.Time // the database failed; zero if it did not
	lastBeat time.Time
	patrols  patrols
}

// hands are the workers of a kind.
type hands struct {
	*kind
	free int
	call bool // a job of the kind may be ready
}

func (q *Queue) loop(run *lifecycle.Run) {
	l := &loop{
		Queue: q, run: run, ctx: context.WithoutCancel(run.Context()),
		timer: q.opts.Clock.NewTimer(longestSleep),
		hands: map[string]*hands{}, lines: map[Admission]line{}, places: map[Admission]map[string]func(){}, fresh: true, foreign: true,
	}
	for name, k := range q.kinds {
		l.hands[name] = &hands{kind: k, free: k.opts.Workers}
		if a := k.opts.Admission; a != nil {
			l.lines[a], l.places[a] = line{}, map[string]func(){}
		}
	}
	defer l.leavePlaces()
	sub := q.hub.Subscribe(topic)
	defer sub.Close()
	defer l.timer.Stop()
	run.Ready()
	for l.step(); !l.over(); l.step() {
		l.sleep(sub)
	}
	l.workers.Wait()
	q.failure.set(l.finish())
}

// finish tries for the last time to write how jobs ended.
func (l *loop) finish() (err error) {
	if len(l.ended) > 0 {
		err = l.act(l.opts.Clock.Now())
	}
	if l.hurry != nil {
		l.hurry()
	}
	return err
}

// step does what is to be done now. After an error of the database it rests.
func (l *loop) step() {
	select {
	case <-l.run.Stopping():
		l.stopping = true
	default:
	}
	l.open(l.mail.take())
	now := l.opts.Clock.Now()
	if now.Before(l.retryAt) {
		return
	}
	l.retryAt = time.Time{}
	if err := l.act(now); err != nil {
		l.retryAt = now.Add(retryAfter)
		l.opts.Logger.Error("the job queue cannot use the database", "error", err)
	}
	l.pace()
}

func (l *loop) act(now time.Time) error {
	for _, do := range []func(time.Time) error{l.patrol, l.look, l.beat, l.giveUp, l.dispatch} {
		if err := do(now); err != nil {
			return err
		}
	}
	return nil
}

// open reads the mail.
func (l *loop) open(m *mail) {
	for kind := range m.ready {
		l.call(kind)
	}
	l.due = earlier(l.due, m.due)
	for _, o := range m.ended {
		l.callSharing(o.kind.opts.Admission)
	}
	l.active -= len(m.ended)
	l.ended = append(l.ended, m.ended...)
}

// call notes that a job of the kind may be ready.
func (l *loop) call(kind string) {
	if h := l.hands[kind]; h != nil {
		h.call = true
	}
}

// busy is how many leases are held.
func (l *loop) busy() int { return l.active + len(l.ended) }

// pace keeps the hub in a hurry while something runs that another process may
// cancel.
func (l *loop) pace() {
	switch busy := l.busy() > 0; {
	case busy && l.hurry == nil:
		l.hurry = l.hub.Hurry()
	case !busy && l.hurry != nil:
		l.hurry()
		l.hurry = nil
	}
}

// cutOff reports whether the run has no time left.
func (l *loop) cutOff() bool { return l.run.Context().Err() != nil }

// over reports whether the run has come to its end. What the database does
// not take when there is no time left is left to a lost lease.
func (l *loop) over() bool {
	return l.stopping && l.active == 0 && (len(l.ended) == 0 || l.cutOff())
}

func (l *loop) sleep(sub *notify.Subscription) {
	now := l.opts.Clock.Now()
	if next := l.next(); next.IsZero() {
		l.timer.Stop()
	} else {
		l.timer.Reset(min(max(0, next.Sub(now)), longestSleep))
	}
	asked, cut := l.run.Stopping(), l.run.Context().Done()
	if l.stopping {
		asked = nil
	}
	if l.cutOff() {
		cut = nil
	}
	select {
	case <-asked:
	case <-cut:
	case <-l.mail.poke:
	case <-sub.C():
		l.foreign = true
		l.patrols.foreign = true
	case <-l.timer.C():
	}
}

// next is when the loop has to wake by itself; zero is never.
func (l *loop) next() time.Time {
	if !l.retryAt.IsZero() {
		return l.retryAt
	}
	next := l.patrols.next(l.opts.Patrol)
	if l.busy() > 0 {
		next = earlier(next, l.lastBeat.Add(l.opts.Heartbeat))
	}
	if !l.stopping {
		next = earlier(next, l.due)
	}
	return next
}
