package process

import (
	"context"
	"fmt"

	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/clock"
)

// A Pool is the process of one owner, while it has one, and the spares in it.
// Its fleet's lock guards what can change.
type Pool struct {
	f    *Fleet
	kind Kind

	owner   Owner     // of one that is in the fleet's map
	users   int       // who has joined: sessions that are open or being opened
	proc    *Process  // the one new sessions go to; nil where none runs
	start   *starting // set while it starts
	idle    clock.Timer
	spares  []*kept // ready to be used; the oldest first
	filling bool    // fill is at work
	dropped bool    // it is in the fleet no more
}

// starting is a process being started, which several calls may wait for.
type starting struct {
	done chan struct{}
	err  error
}

// Process returns the pool's process, started if there is none. A start outlives
// the call that asked for it, since others may wait for it as well; nobody waits
// for the start of another pool's.
func (l *Pool) Process(ctx context.Context) (*Process, error) {
	for {
		proc, start, err := l.current()
		if proc != nil || err != nil {
			return proc, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-start.done:
			if start.err != nil {
				return nil, start.err
			}
		}
	}
}

// current returns the process that can be used, or the start of one, begun here
// if need be.
func (l *Pool) current() (*Process, *starting, error) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	switch {
	case l.f.closed || l.f.life.Err() != nil:
		return nil, nil, ErrClosed
	case l.proc != nil && l.proc.Alive():
		return l.proc, nil, nil
	case l.proc != nil:
		l.retire()
	}
	if l.start == nil {
		start := &starting{done: make(chan struct{})}
		l.start = start
		project := l.owner.Project
		l.f.Later(func() {
			l.launch(start, func() (*admission.Grant, error) { return l.f.Reserve(l.f.life, project, ProcessBytes) })
		})
	}
	return nil, l.start, nil
}

// launch starts a process, once it has its memory, and makes it the pool's.
func (l *Pool) launch(start *starting, reserve func() (*admission.Grant, error)) {
	var proc *Process
	g, err := reserve()
	if err == nil {
		proc, err = l.begin(g)
	}
	if err != nil {
		g.Release()
	}
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	start.err = err
	l.start = nil
	defer close(start.done)
	if err != nil {
		l.startIdle()
		return
	}
	l.proc = proc
	l.f.lasting.Go(func() { l.watch(proc) })
	if l.f.closed || l.dropped {
		l.retire()
		return
	}
	l.startIdle() // whoever asked may have given up
}

// begin starts the process, within the time that it has for it.
func (l *Pool) begin(g *admission.Grant) (*Process, error) {
	o := l.f.opts
	ctx, cancel := clock.WithTimeout(l.f.life, o.Clock, o.Timeouts.Start, fmt.Errorf("the browser did not answer within %s", o.Timeouts.Start))
	defer cancel()
	return l.f.start(ctx, l.kind, g)
}

// watch gives back what a process had once nothing is left of it.
func (l *Pool) watch(proc *Process) {
	<-proc.gone
	l.f.mu.Lock()
	if l.proc == proc {
		l.forgetProcess()
		l.stopIdle()
		l.startIdle()
	}
	l.f.mu.Unlock()
	proc.grant.Release()
}

// grant is that of the process; nil for none. The lock is held.
func (l *Pool) grant() *admission.Grant {
	if l.proc == nil {
		return nil
	}
	return l.proc.grant
}

// Leave counts out a user who has joined.
func (l *Pool) Leave() {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	l.users--
	l.startIdle()
}

// claim says that the process is to be used, if there is one; false where its room
// is needed and it is about to be ended. The lock is held.
func (l *Pool) claim() bool { return l.users > 0 || l.grant().Claim() }

// usable reports whether the pool has a process, or will have one. The lock is
// held.
func (l *Pool) usable() bool {
	return l.start != nil || l.proc != nil && l.proc.Alive()
}

// startIdle begins the wait for the end of a pool that nobody uses, or ends one
// without a process at once; stopIdle breaks it off. The lock is held.
func (l *Pool) startIdle() {
	if l.f.closed || l.users > 0 || l.start != nil || l.idle != nil {
		return
	}
	if l.proc == nil {
		l.giveUp()
		return
	}
	proc := l.proc
	unused := proc.grant.Idle
	if l.f.vacant == l { // that nobody has used yet: it goes before what a project has
		unused = proc.grant.Spare
	}
	l.f.endIfAsked(unused, func() { l.endUnused(proc) })
	l.idle = l.f.opts.Clock.AfterFunc(max(l.f.opts.Timeouts.Idle, 0), func() { l.endIdle(proc) })
}

func (l *Pool) stopIdle() {
	if l.idle != nil {
		l.idle.Stop()
		l.idle = nil
	}
}

func (l *Pool) endIdle(proc *Process) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	if !l.f.closed {
		l.endUnused(proc)
	}
}

// endUnused ends the process if nobody uses it still. The lock is held.
func (l *Pool) endUnused(proc *Process) {
	if l.proc == proc && l.users == 0 {
		l.giveUp()
	}
}

// giveUp takes the pool out of the fleet, with its process. The lock is held.
func (l *Pool) giveUp() {
	l.stopIdle()
	if l.proc != nil {
		l.retire()
	}
	l.dropped = true
	if l.f.vacant == l {
		l.f.vacant = nil
	}
	if l.f.pools[l.owner] == l {
		delete(l.f.pools, l.owner)
	}
}

// retire takes the process out of use and ends it in the background, with the
// spares in it. The lock is held.
func (l *Pool) retire() {
	proc := l.proc
	l.forgetProcess()
	l.f.Later(proc.Stop)
}

// forgetProcess takes the process out of use. The lock is held.
func (l *Pool) forgetProcess() {
	l.proc = nil
	for len(l.spares) > 0 {
		l.drop(l.spares[0])
	}
}

// Abandon ends a process that does not answer any more, as the cause says.
func (l *Pool) Abandon(proc *Process, cause error) {
	l.f.mu.Lock()
	if l.proc == proc {
		l.forgetProcess()
	}
	l.f.mu.Unlock()
	proc.kill(cause)
}
