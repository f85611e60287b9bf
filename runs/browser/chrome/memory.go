package chrome

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/drover-go/drover/errtypes"
)

// What a browser is taken to need: its main process with those for graphics,
// network and storage, and an empty tab with its renderer. Measured as PSS.
const (
	processBytes = 160 << 20
	tabBytes     = 55 << 20
)

// memory is the ledger of what browsers may take. What is more than they may is
// never taken away from who has it: spares are not made, what nobody uses is
// given up, and who needs a further process waits.
type memory struct {
	limit   int64
	reclaim func() // gives up what nobody uses while short is above 0; called without locks

	mu      sync.Mutex
	held    int64         // claimed, what is leaving left out
	leaving int64         // claimed by what is on its way out
	waiting []*wantMemory // in the order in which they came
}

// wantMemory is somebody who waits for memory.
type wantMemory struct {
	bytes int64
	claim *claim        // what they are given
	got   chan struct{} // closed when they have it
}

// A claim is memory that somebody has. nil is none.
type claim struct {
	m     *memory
	bytes int64
	state claimState // guarded by m.mu
}

type claimState int

const (
	claimHeld claimState = iota
	claimLeaving
	claimReleased
)

// try claims what is free and what nobody waits for; nil if that is not enough.
func (m *memory) try(bytes int64) *claim {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.waiting) > 0 || !m.fits(bytes) {
		return nil
	}
	return m.hold(bytes)
}

// take claims what is needed by somebody who has a process, whether it is free
// or not.
func (m *memory) take(bytes int64) *claim {
	m.mu.Lock()
	c := m.hold(bytes)
	m.mu.Unlock()
	m.settle()
	return c
}

// wait claims what is free, as soon as it is enough. Who waits longest comes
// first.
func (m *memory) wait(ctx context.Context, bytes int64) (*claim, error) {
	w := &wantMemory{bytes: bytes, got: make(chan struct{})}
	m.mu.Lock()
	m.waiting = append(m.waiting, w)
	m.mu.Unlock()
	m.settle()
	select {
	case <-w.got:
	case <-ctx.Done():
		if m.withdraw(w) {
			m.settle() // another one may be first now
			return nil, context.Cause(ctx)
		}
	}
	return w.claim, nil
}

// withdraw reports false when the memory has been given already.
func (m *memory) withdraw(w *wantMemory) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.Index(m.waiting, w)
	if i >= 0 {
		m.waiting = slices.Delete(m.waiting, i, i+1)
	}
	return i >= 0
}

// settle gives what is free to who waits, and sees to it that more becomes free.
func (m *memory) settle() {
	m.mu.Lock()
	for len(m.waiting) > 0 && m.fits(m.waiting[0].bytes) {
		w := m.waiting[0]
		w.claim = m.hold(w.bytes)
		close(w.got)
		m.waiting = slices.Delete(m.waiting, 0, 1)
	}
	m.mu.Unlock()
	if m.short() > 0 {
		m.reclaim()
	}
}

// short is how many bytes more have to be given up for the first who waits, and
// for the limit; 0 or below for none.
func (m *memory) short() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	need := m.held - m.limit
	if len(m.waiting) > 0 {
		need += m.waiting[0].bytes
	}
	return need
}

// fits reports whether so much may be claimed. Whoever is alone may have more
// than the limit, or would wait for ever. The lock is held.
func (m *memory) fits(bytes int64) bool {
	all := m.held + m.leaving
	return all == 0 || all <= m.limit-bytes
}

// hold counts a claim. The lock is held.
func (m *memory) hold(bytes int64) *claim {
	m.held += bytes
	return &claim{m: m, bytes: bytes}
}

// leave says that what has the memory is on its way out: it is not free yet, but
// nothing else has to go in its place.
func (c *claim) leave() { c.move(claimLeaving) }

// release gives the memory back, once.
func (c *claim) release() {
	if c.move(claimReleased) {
		c.m.settle()
	}
}

// move reports whether the claim was not in that state, or a later one, yet.
func (c *claim) move(to claimState) bool {
	if c == nil {
		return false
	}
	c.m.mu.Lock()
	defer c.m.mu.Unlock()
	if c.state >= to {
		return false
	}
	c.m.account(c.state, -c.bytes)
	c.m.account(to, c.bytes)
	c.state = to
	return true
}

// account books bytes under what a claim is. The lock is held.
func (m *memory) account(state claimState, bytes int64) {
	switch state {
	case claimHeld:
		m.held += bytes
	case claimLeaving:
		m.leaving += bytes
	}
}

// reserve waits for memory, for Timeouts.Queue and within ctx, unless the caller
// has a claim already.
func (f *fleet) reserve(ctx context.Context, bytes int64, c *claim) (*claim, error) {
	if c != nil {
		return c, nil
	}
	full := errtypes.New(errtypes.Unavailable, "the browsers of this instance take as much memory as they may; try again later")
	err := f.queue(ctx, full, func(ctx context.Context) (err error) {
		c, err = f.memory.wait(ctx, bytes)
		return err
	})
	return c, err
}

// defaultMemory is what browsers may take where the host does not say.
func defaultMemory() int64 {
	if all := machineMemory(); all > 0 {
		return all
	}
	return math.MaxInt64
}
