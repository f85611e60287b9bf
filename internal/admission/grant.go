package admission

import (
	"cmp"
	"slices"
	"time"
)

// A Grant is memory that somebody has. Its methods may be called by any
// goroutine, and on nil, for what is not counted: then they do nothing, and Claim
// reports true.
type Grant struct {
	ledger  *Ledger
	request Request
	since   time.Time
	moment  int64

	// Guarded by the ledger.
	counted  int64
	measured int64 // last, with what is within it
	released bool
	idle     idleness
	used     int64 // until when
	end      func()
	ending   bool
	outgrown func() // ends it where it takes more than its project's share
}

// idleness is how well a grant can be done without.
type idleness uint8

const (
	busy idleness = iota
	isIdle
	isSpare
)

// Project is whom it counts for.
func (g *Grant) Project() string { return g.request.Project }

// Bytes is what it counts now.
func (g *Grant) Bytes() int64 {
	g.ledger.mu.Lock()
	defer g.ledger.mu.Unlock()
	return g.counted
}

// Measured says what memory the processes take that the grant is for, in bytes,
// with what is within it. See the package for what it counts from then on.
func (g *Grant) Measured(bytes int64) {
	g.change(func(l *Ledger) actions {
		g.measured = bytes
		bytes -= l.within(g)
		if l.young(g) {
			bytes = max(bytes, g.request.Bytes)
		}
		a := l.count(g, max(bytes, 0))
		a.ends = l.reclaim(0)
		return a
	})
}

// change changes a grant that has not been released, and does what comes of it.
func (g *Grant) change(f func(*Ledger) actions) {
	if g == nil {
		return
	}
	var a actions
	g.ledger.mu.Lock()
	if !g.released {
		a = f(g.ledger)
	}
	g.ledger.mu.Unlock()
	a.do()
}

// grown is how long it takes until what a part needs is among what is measured of
// the whole: a browser's tab has its memory within a second.
const grown = time.Second

// within is what the parts of a grant count that have grown to what they take:
// of the others next to nothing has been measured yet. The lock is held.
func (l *Ledger) within(g *Grant) (bytes int64) {
	now := l.opts.Clock.Now()
	for part := range l.grants {
		if part.request.Within == g && now.Sub(part.since) >= min(grown, l.opts.Settle) {
			bytes += part.counted
		}
	}
	return bytes
}

func (l *Ledger) young(g *Grant) bool { return l.opts.Clock.Now().Sub(g.since) < l.opts.Settle }

// Release gives the memory back. It may be called more than once.
func (g *Grant) Release() {
	g.change(func(l *Ledger) actions {
		a := l.count(g, 0)
		g.released = true
		delete(l.grants, g)
		return a
	})
}

// Spare says that nobody uses what the grant is for, nor has anybody yet. When
// room is short end is called, once: it must not block, and see to it that the
// grant is released soon.
func (g *Grant) Spare(end func()) { g.unused(isSpare, end) }

// Idle says that nobody uses what the grant is for any more, as Spare does. It
// was used until now.
func (g *Grant) Idle(end func()) { g.unused(isIdle, end) }

func (g *Grant) unused(how idleness, end func()) {
	g.change(func(l *Ledger) actions {
		if g.ending {
			return actions{}
		}
		g.idle, g.used, g.end = how, l.now(), end
		return actions{ends: l.reclaim(0)}
	})
}

// Claim says that it is used again. It reports false when it is being ended, or
// has been released: then it must not be used.
func (g *Grant) Claim() bool {
	if g == nil {
		return true
	}
	g.ledger.mu.Lock()
	defer g.ledger.mu.Unlock()
	if g.ending || g.released {
		return false
	}
	g.idle, g.end = busy, nil
	return true
}

// count sets what a grant counts, and serves those who wait with what came free.
// The lock is held.
func (l *Ledger) count(g *Grant, bytes int64) actions {
	before := g.counted
	l.used += bytes - before
	if g.ending {
		l.ending += bytes - before
	}
	g.counted = bytes
	return l.freed(min(before-bytes, max(l.free(), 0)))
}

// reclaim picks what is to be ended for all who wait, for more bytes than these,
// and for what has grown beyond the total; beside what is being ended already.
// The lock is held.
func (l *Ledger) reclaim(more int64) (ends []func()) {
	short := more - l.free() - l.ending
	for _, w := range l.waiting {
		short += w.request.Bytes
	}
	for _, g := range l.unused() {
		if short <= 0 {
			return ends
		}
		short -= g.counted
		l.ending += g.counted
		g.ending = true
		ends = append(ends, g.end)
	}
	return ends
}

// unused is what can be ended, what is missed least first. The lock is held.
func (l *Ledger) unused() (all []*Grant) {
	for g := range l.grants {
		if g.idle != busy && !g.ending {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b *Grant) int {
		return cmp.Or(cmp.Compare(b.idle, a.idle), cmp.Compare(a.used, b.used))
	})
	return all
}
