package admission

import (
	"cmp"
	"slices"
)

// A waiter is a request that waits.
type waiter struct {
	request  Request
	since    int64
	admitted chan struct{} // closed when grant is set
	grant    *Grant
}

// held is room that is kept for one waiter.
type held struct {
	by    *waiter
	bytes int64
}

// serve admits all who fit, in turn. The lock is held.
func (l *Ledger) serve() {
	for w := l.next(); w != nil; w = l.next() {
		l.admit(w)
	}
	for project := range l.served {
		if !slices.ContainsFunc(l.waiting, func(w *waiter) bool { return w.request.Project == project }) {
			delete(l.served, project)
		}
	}
}

// next is the one to be admitted; nil where nobody fits. Room is held for the
// first in turn from then on, if it is not the one. The lock is held.
func (l *Ledger) next() *waiter {
	turns := l.turns()
	if len(turns) == 0 {
		l.held = held{}
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

// hold sees to it that room is held for one that waits: for whom it is held
// already, or else the first in turn. Of what is held no more counts than there
// is. The lock is held.
func (l *Ledger) hold(turns []*waiter) {
	if !slices.Contains(l.waiting, l.held.by) {
		l.held = held{by: turns[0]}
	}
	l.held.bytes = max(min(l.held.bytes, l.free(), l.held.by.request.Bytes), 0)
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
	close(w.admitted)
}

func (l *Ledger) drop(w *waiter) {
	l.waiting = slices.DeleteFunc(l.waiting, func(o *waiter) bool { return o == w })
	if l.held.by == w {
		l.held = held{}
	}
}

// freed counts room that has come free, and serves those who wait. Below 0 room
// was taken. The lock is held.
func (l *Ledger) freed(bytes int64) actions {
	if bytes <= 0 {
		l.serve() // less can be held now
		return actions{}
	}
	if l.held.by != nil {
		l.held.bytes += (bytes + 1) / 2
	}
	return l.serveAndTell()
}

// serveAndTell tells also who is told of room, if there is some left. The lock is
// held.
func (l *Ledger) serveAndTell() (a actions) {
	l.serve()
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
	if w.grant != nil {
		l.mu.Unlock()
		w.grant.Release()
		return err
	}
	l.drop(w)
	a := l.serveAndTell()
	l.mu.Unlock()
	a.do()
	return err
}
