package admission

import (
	"cmp"
	"slices"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// A waiter is a request that waits.
type waiter struct {
	request  Request
	since    int64
	counts   int64         // on the room of those who were admitted later than this
	patience time.Duration // until those are ended who are over their share
	press    clock.Timer   // when it is over; nil for one that never waited
	admitted func()        // called, without the lock, when grant is set
	grant    *Grant
}

// serve admits all who fit, in turn, and returns how they are told. The lock is
// held.
func (l *Ledger) serve() (a actions) {
	for w := l.next(); w != nil; w = l.next() {
		l.admit(w)
		a.admitted = append(a.admitted, w.admitted)
	}
	for project := range l.served {
		if !slices.ContainsFunc(l.waiting, func(w *waiter) bool { return w.request.Project == project }) {
			delete(l.served, project)
		}
	}
	return a
}

// next is the one to be admitted; nil where nobody fits. Room is held for the
// first in turn from then on, if it is not the one. The lock is held.
func (l *Ledger) next() *waiter {
	turns := l.turns()
	if len(turns) == 0 {
		l.holdNothing()
		return nil
	}
	l.hold(turns)
	for _, w := range turns {
		room := l.free() - l.held.bytes
		if w == l.held.by {
			room = l.free()
		}
		if w.request.Bytes <= room {
			return w
		}
	}
	return nil
}

// turns is the oldest request of each project that waits, in the order in which
// they are admitted. The lock is held.
func (l *Ledger) turns() (turns []*waiter) {
	seen := map[string]bool{}
	for _, w := range l.waiting {
		if !seen[w.request.Project] {
			seen[w.request.Project] = true
			turns = append(turns, w)
		}
	}
	slices.SortStableFunc(turns, func(a, b *waiter) int { return cmp.Compare(l.turn(a), l.turn(b)) })
	return turns
}

// turn is since when a project waits for its turn.
func (l *Ledger) turn(w *waiter) int64 { return max(w.since, l.served[w.request.Project]) }

// admit gives a waiter its grant. The lock is held.
func (l *Ledger) admit(w *waiter) {
	l.drop(w)
	l.served[w.request.Project] = l.now()
	w.grant = l.grant(w.request)
}

func (l *Ledger) drop(w *waiter) {
	l.waiting = slices.DeleteFunc(l.waiting, func(o *waiter) bool { return o == w })
	if w.press != nil {
		w.press.Stop()
	}
	if l.held.by == w {
		l.holdNothing()
	}
}

// freed counts room that has come free, and serves those who wait. Below 0 room
// was taken: what is measured goes up and down, and what comes free by that is not
// more than was taken before. The lock is held.
func (l *Ledger) freed(bytes int64) actions {
	l.credit(bytes)
	if bytes <= 0 {
		return l.serve() // less can be held now
	}
	return l.serveAndTell()
}

// serveAndTell tells also who is told of room, if there is some left. The lock is
// held.
func (l *Ledger) serveAndTell() actions {
	a := l.serve()
	if l.free() > l.held.bytes {
		for f := range l.onFree {
			a.frees = append(a.frees, *f)
		}
	}
	return a
}

// giveUp takes a waiter out, unless it was admitted meanwhile: then its grant is
// given back.
func (l *Ledger) giveUp(w *waiter, err error) error {
	l.mu.Lock()
	if g := w.grant; g != nil {
		w.grant = nil
		l.mu.Unlock()
		g.Release()
		return err
	}
	l.drop(w)
	a := l.serveAndTell()
	l.mu.Unlock()
	a.do()
	return err
}
