package process

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
)

// An Owner is who a browser process belongs to. Sessions of two projects, or of
// two kinds, are never in the same process.
type Owner struct {
	Project string
	Kind    Kind
}

// A Fleet is the browser processes that several sessions may be in: one for each
// owner, and one that has no owner yet once there are several projects. It does
// not know what a session is: who uses a process joins its pool, and spares are
// made by furnish.
type Fleet struct {
	opts    Options
	life    context.Context // ends when the provider closes
	ledger  *admission.Ledger
	start   func(ctx context.Context, kind Kind, g *admission.Grant) (*Process, error)
	furnish func(ctx context.Context, l *Pool, proc *Process) (Spare, error)

	mu      sync.Mutex
	closed  bool
	pools   map[Owner]*Pool
	vacant  *Pool          // without an owner; nil for none
	first   string         // the project that came first of those that have a process
	several bool           // another one has come since
	ending  sync.WaitGroup // what is on its way in or out
	lasting sync.WaitGroup // what goes on while there is a process

	wake     chan struct{} // of one place: something is wanted
	wantedMu sync.Mutex
	wanted   []func() // ends of what the ledger wants the room of
	reaping  bool     // reap is at work; guarded by mu
}

var errOneProject = errtypes.New(errtypes.Conflict, "the remote browser of this instance serves one project at a time, and another one uses it; try again later")

// ErrClosed is what callers get once the fleet is closed.
var ErrClosed = errtypes.New(errtypes.Unavailable, "the browser provider is closed")

// NewFleet returns a fleet without processes, which lasts as long as life. A
// process is started by start, within memory that is granted, and a spare made in
// one by furnish.
func NewFleet(life context.Context, o Options, start func(context.Context, Kind, *admission.Grant) (*Process, error), furnish func(context.Context, *Pool, *Process) (Spare, error)) *Fleet {
	return &Fleet{opts: o, life: life, start: start, furnish: furnish, ledger: o.Admission, pools: map[Owner]*Pool{}, wake: make(chan struct{}, 1)}
}

// Join counts the caller in as a user of the owner's pool, until it leaves it.
// Error kinds: Conflict where the browser serves another project, Unavailable
// once the provider is closed.
func (f *Fleet) Join(o Owner) (*Pool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, ErrClosed
	}
	if f.isRemote() {
		if err := f.dedicateRemote(o); err != nil {
			return nil, err
		}
	}
	if !f.reaping {
		f.reaping = true
		f.lasting.Go(f.reap)
	}
	f.note(o.Project)
	l := f.pools[o]
	if l != nil && !l.claim() {
		l.giveUp()
		l = nil
	}
	if l == nil {
		l = f.adopt(o)
	}
	l.users++
	l.stopIdle()
	return l, nil
}

// dedicateRemote ends the connections of other projects to the one remote browser,
// unless they are in use. The lock is held.
func (f *Fleet) dedicateRemote(o Owner) error {
	for other, l := range f.pools {
		if other.Project == o.Project {
			continue
		}
		if l.users > 0 {
			return errOneProject
		}
		l.giveUp()
	}
	return nil
}

// note remembers whether more than one project has come since no process ran.
// The lock is held.
func (f *Fleet) note(project string) {
	if len(f.pools) == 0 && f.vacant == nil {
		f.first, f.several = project, false
		return
	}
	f.several = f.several || project != f.first
}

// adopt makes the owner's pool: of the process without an owner where there is
// one of the kind. The lock is held.
func (f *Fleet) adopt(o Owner) *Pool {
	l := f.vacant
	if l != nil && l.kind == o.Kind && l.usable() && l.claim() {
		f.vacant = nil
	} else {
		l = &Pool{f: f, kind: o.Kind}
	}
	l.owner = o
	f.pools[o] = l
	return l
}

// Prepare begins to keep a process without an owner where several projects have
// come, with a spare in it: the next project's first session need not wait for
// one to start. It never takes the room of anything else. While sessions are
// opened it stays; it ends when none has been for Timeouts.Idle.
func (f *Fleet) Prepare() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || !f.several || f.isRemote() {
		return
	}
	if f.vacant != nil && f.vacant.usable() {
		f.vacant.stopIdle()
		f.vacant.startIdle()
		return
	}
	g, ok := f.reserveFree(admission.Request{Bytes: ProcessBytes})
	if !ok {
		return
	}
	start := &starting{done: make(chan struct{})}
	l := &Pool{f: f, start: start, filling: true}
	f.vacant = l
	f.Later(func() {
		l.launch(start, func() (*admission.Grant, error) { return g, nil })
		if start.err != nil {
			f.opts.Logger.Debug("chrome: a browser for the next project cannot be started", "error", start.err)
			return
		}
		l.fill()
	})
}

// all are the pools with and without an owner. The lock is held.
func (f *Fleet) all() []*Pool {
	all := slices.Collect(maps.Values(f.pools))
	if f.vacant != nil {
		all = append(all, f.vacant)
	}
	return all
}

// Later runs fn in a goroutine that wait waits for. The caller is one itself, or
// holds the lock of a fleet that is not closed.
func (f *Fleet) Later(fn func()) { f.ending.Go(fn) }

// Close begins to end every process; from here on none is started.
func (f *Fleet) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, l := range f.all() {
		l.giveUp()
	}
}

// Wait returns when nothing is left of what close has ended. Nobody joins or
// uses a pool any more.
func (f *Fleet) Wait() {
	f.ending.Wait()
	f.lasting.Wait()
}
