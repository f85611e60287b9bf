package admission

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/machine"
	"github.com/drover-go/drover/internal/telemetry"
)

// Options configure [New]. The zero value is useful.
type Options struct {
	// Memory is how many bytes all grants may have together; who asks for more
	// is refused. Default three quarters of what the machine has, or of what the
	// control groups of this process allow; who asks for more than that counts as
	// all of it, so that a small machine runs one thing at a time. No limit where
	// the system tells neither.
	Memory int64
	// Settle is how long a grant is young. Default 10 s.
	Settle time.Duration
	// Wait is how long a request waits that does not say it itself, and for how
	// long room is held for one. Default 30 s.
	Wait time.Duration
	// Telemetry counts what is granted, and who waits. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
	// Clock tells the time. Default the machine's.
	Clock clock.Clock
}

func (o Options) withDefaults() Options {
	if o.Memory == 0 {
		o.Memory = machine.Memory()
		if o.Memory != machine.Unlimited {
			o.Memory -= o.Memory / 4
		}
	}
	o.Settle = cmp.Or(o.Settle, 10*time.Second)
	o.Wait = cmp.Or(o.Wait, 30*time.Second)
	o.Clock = cmp.Or(o.Clock, clock.System())
	return o
}

// A Request asks for memory.
type Request struct {
	// Project is whom it counts for; empty for the host itself, which counts as
	// a project.
	Project string
	// Bytes is what it is expected to take, above 0.
	Bytes int64
	// Wait is how long it waits at most, below 0 not at all. Default that of the
	// ledger.
	Wait time.Duration
	// Within is the grant of the process that this memory is part of, as a tab is
	// of a browser: what is measured of that process has it in it. Default none.
	Within *Grant
}

// A Ledger knows who has how much memory. It is made by [New].
type Ledger struct {
	opts   Options
	strict bool // the total was given

	metrics metrics

	mu      sync.Mutex
	used    int64 // what all grants count
	ending  int64 // of it, what grants count that are being ended for want of room
	grants  map[*Grant]struct{}
	waiting []*waiter        // the oldest first
	served  map[string]int64 // when projects that wait were last admitted
	held    held
	onFree  map[*func()]struct{}
	moment  int64 // counts up: what came first
}

// New returns an empty ledger. The error's kind is Invalid for options that
// cannot be.
func New(o Options) (*Ledger, error) {
	if o.Memory < 0 || o.Settle < 0 || o.Wait < 0 {
		return nil, errtypes.Field("Memory", ", Settle and Wait must not be negative")
	}
	l := &Ledger{
		opts: o.withDefaults(), strict: o.Memory > 0,
		grants: map[*Grant]struct{}{}, served: map[string]int64{}, onFree: map[*func()]struct{}{},
	}
	l.metrics = newMetrics(o.Telemetry, l)
	return l, nil
}

// A State is what a ledger counts, in bytes.
type State struct {
	Total, Used int64
	// Measured is what the processes of all grants were last measured to take.
	Measured int64
	// Held is what is kept free for the first request that waits.
	Held int64
	// Grants and Waiting are how many there are.
	Grants, Waiting int
}

// State returns what is counted now.
func (l *Ledger) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := State{Total: l.opts.Memory, Used: l.used, Held: l.held.bytes, Grants: len(l.grants), Waiting: len(l.waiting)}
	for g := range l.grants {
		s.Measured += g.measured
	}
	return s
}

// Reserve waits for room. It ends with the grant, with the cause of the context,
// or when it has waited as long as it may with an error of kind Unavailable, as it does at once where there can never be room. Room that is
// short makes it end spares and idle processes before.
func (l *Ledger) Reserve(ctx context.Context, r Request) (_ *Grant, err error) {
	defer errtypes.Wrap(&err, "admission.Reserve(%d bytes)", r.Bytes)
	if r, err = l.checked(r); err != nil {
		return nil, err
	}
	wait := cmp.Or(r.Wait, l.opts.Wait)
	if wait < 0 {
		if g := l.try(r); g != nil {
			return g, nil
		}
		return nil, l.full(r)
	}
	admitted := make(chan struct{})
	w := &waiter{request: r, patience: wait / 2, admitted: func() { close(admitted) }}
	if g := l.wait(w); g != nil {
		return g, nil
	}
	since := l.opts.Clock.Now()
	timer := l.opts.Clock.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-admitted:
		l.metrics.waited(since, l.opts.Clock.Now(), "granted")
		return w.grant, nil
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-timer.C():
		err = l.full(r)
	}
	l.metrics.waited(since, l.opts.Clock.Now(), "given_up")
	return nil, l.giveUp(w, err)
}

// TryReserve reserves without waiting; nil where there is no room now. Spares
// and idle processes are being ended for it then: [Ledger.OnFree] says when it is
// worth another try. It has no place among those who wait: who tries again and
// again beside others who wait should have one, see [Ledger.Await]. The error is as that
// of Reserve where there can never be room.
func (l *Ledger) TryReserve(r Request) (_ *Grant, err error) {
	defer errtypes.Wrap(&err, "admission.TryReserve(%d bytes)", r.Bytes)
	if r, err = l.checked(r); err != nil {
		return nil, err
	}
	return l.try(r), nil
}

// try asks again where what was ended for it has gone at once.
func (l *Ledger) try(r Request) *Grant {
	g, ends := l.fit(r)
	actions{ends: ends}.do()
	if g == nil && len(ends) > 0 {
		g, ends = l.fit(r)
		actions{ends: ends}.do()
	}
	return g
}

func (l *Ledger) checked(r Request) (Request, error) {
	if r.Bytes <= 0 {
		return r, errtypes.Field("Bytes", "must be above 0")
	}
	if r.Bytes > l.opts.Memory && l.strict {
		return r, errtypes.New(errtypes.Unavailable, "this needs more memory than this instance has for processes").
			WithCause(fmt.Errorf("%d of %d bytes", r.Bytes, l.opts.Memory))
	}
	r.Bytes = min(r.Bytes, l.opts.Memory)
	return r, nil
}

func (l *Ledger) full(r Request) error {
	s := l.State()
	return errtypes.New(errtypes.Unavailable, "the memory that this instance has for processes is in use; try again later").
		WithCause(fmt.Errorf("%d bytes are needed, and %d of %d in use", r.Bytes, s.Used, s.Total))
}

// fit admits a request that fits beside what is held for another, or picks what is
// to be ended for it.
func (l *Ledger) fit(r Request) (*Grant, []func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Bytes <= l.free()-l.held.bytes {
		return l.grant(r), nil
	}
	return nil, l.reclaim(r.Bytes)
}

// wait makes a request wait, unless it fits beside what is held for another: then
// nobody is told that it is admitted.
func (l *Ledger) wait(w *waiter) *Grant {
	l.mu.Lock()
	if w.request.Bytes <= l.free()-l.held.bytes {
		w.grant = l.grant(w.request)
		l.mu.Unlock()
		return w.grant
	}
	w.since = l.now()
	w.counts = w.since
	l.waiting = append(l.waiting, w)
	w.press = l.opts.Clock.AfterFunc(w.patience, func() { l.press(w) })
	a := l.serve()
	a.ends = l.reclaim(0)
	l.mu.Unlock()
	a.do()
	return nil
}

// now is a moment that comes after all others. The lock is held.
func (l *Ledger) now() int64 {
	l.moment++
	return l.moment
}

// free is the room that nobody has; it is below 0 where grants have grown beyond
// the total. The lock is held.
func (l *Ledger) free() int64 { return l.opts.Memory - l.used }

// grant counts a request in. The lock is held.
func (l *Ledger) grant(r Request) *Grant {
	g := &Grant{ledger: l, request: r, counted: r.Bytes, since: l.opts.Clock.Now(), moment: l.now()}
	l.grants[g] = struct{}{}
	l.used += r.Bytes
	return g
}

// OnFree has f called whenever there is more room than before that nobody who
// waits has taken, until remove is called. f must not block.
func (l *Ledger) OnFree(f func()) (remove func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onFree[&f] = struct{}{}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.onFree, &f)
	}
}

// actions are what is to be done when the lock has been given back.
type actions struct {
	ends     []func() // of spares and idle processes
	admitted []func() // who waited
	frees    []func() // who is told of room
}

func (a actions) do() {
	for _, f := range slices.Concat(a.ends, a.admitted, a.frees) {
		f()
	}
}
