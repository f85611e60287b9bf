package process

import (
	"context"
	"os"
	"slices"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// What tests of package chrome look at, and do.

// Quiet is a process that has no browser: it hears events, and can say nothing.
func Quiet(o Options) *Process {
	p := newProcess(o)
	p.wire = mux.NewWire(nil)
	return p
}

// Hear takes in an event of the browser.
func (p *Process) Hear(ev any) { p.onEvent(ev) }

// Memory is what the browser takes, as it was last measured.
func (p *Process) Memory() int64 { return p.child.Usage().Memory }

// Kill ends the main process as the system would.
func (p *Process) Kill() { p.child.Signal(os.Kill) }

// NetworkPID is the id of the network service; 0 while there is none.
func (p *Process) NetworkPID(ctx context.Context) (int, error) { return p.networkService(ctx) }

// Process is that of an owner; nil if none runs.
func (f *Fleet) Process(o Owner) *Process {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l := f.pools[o]; l != nil {
		return l.proc
	}
	return nil
}

// Users is how many have joined the pool of an owner.
func (f *Fleet) Users(o Owner) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l := f.pools[o]; l != nil {
		return l.users
	}
	return 0
}

// Vacant is the process without an owner, nil if none runs, and reports whether one
// is kept or being started, and whether it has the spare that it is to have.
func (f *Fleet) Vacant() (proc *Process, kept, filled bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.vacant == nil {
		return nil, false, false
	}
	return f.vacant.proc, true, f.vacant.proc != nil && !f.vacant.filling
}

// Begun reports whether a browser is being started, or runs.
func (f *Fleet) Begun() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.all()) > 0
}

// Spares counts those of all owners, and reports whether more are being made.
func (f *Fleet) Spares() (n int, filling bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.all() {
		n += len(l.spares)
	}
	return n, slices.ContainsFunc(f.all(), func(l *Pool) bool { return l.filling })
}

// OldestSpare is that of an owner who has one.
func (f *Fleet) OldestSpare(o Owner) Spare {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pools[o].spares[0].Spare
}

// WaitEnded waits for processes and spares on their way out.
func (f *Fleet) WaitEnded() {
	for wanted := true; wanted; {
		f.mu.Lock() // whoever ends one holds it
		f.wantedMu.Lock()
		wanted = len(f.wanted) > 0 && !f.closed
		f.wantedMu.Unlock()
		f.mu.Unlock()
	}
	f.ending.Wait()
}
