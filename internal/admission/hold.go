package admission

import (
	"slices"

	"github.com/drover-go/drover/internal/clock"
)

// held is room that is kept for one waiter.
type held struct {
	by    *waiter
	due   int64       // half of what came free while it was the one
	bytes int64       // of it, what is kept: no more than there is
	limit clock.Timer // ends this; nil while nothing was kept
}

// hold sees to it that room is held for one that waits: for whom it is held
// already, or else the first in turn. It is kept only where that one would fit if
// all had gone who came later: who was there before owes him nothing, and room
// that is kept beside those is of no use to anybody. The lock is held.
func (l *Ledger) hold(turns []*waiter) {
	if !slices.Contains(l.waiting, l.held.by) {
		l.holdNothing()
		l.held.by = turns[0]
	}
	w := l.held.by
	l.held.due = max(min(l.held.due, w.request.Bytes), 0)
	l.held.bytes = 0
	if l.inReach(w) {
		l.held.bytes = max(min(l.held.due, l.free()), 0)
	}
	if l.held.bytes > 0 && l.held.limit == nil {
		l.held.limit = l.opts.Clock.AfterFunc(l.opts.Wait, func() { l.heldInVain(w) })
	}
}

// inReach reports whether a waiter would fit if all had gone who came later. The
// lock is held.
func (l *Ledger) inReach(w *waiter) bool {
	room := l.free()
	for g := range l.grants {
		if g.moment > w.counts {
			room += g.counted
		}
	}
	return w.request.Bytes <= room
}

// credit counts room that came free, or below 0 was taken, for whom it is held. The
// lock is held.
func (l *Ledger) credit(bytes int64) {
	if l.held.by != nil {
		l.held.due += (bytes + max(min(bytes, 1), -1)) / 2
	}
}

// holdNothing gives up what is held. The lock is held.
func (l *Ledger) holdNothing() {
	if l.held.limit != nil {
		l.held.limit.Stop()
	}
	l.held = held{}
}

// heldInVain gives up what is held for one that did not get enough in time. Who is
// there now stays longer, and is counted on no more.
func (l *Ledger) heldInVain(w *waiter) {
	l.mu.Lock()
	var a actions
	if l.held.by == w {
		l.holdNothing()
		w.counts = l.now()
		l.served[w.request.Project] = w.counts // it is another's turn
		a = l.serveAndTell()
	}
	l.mu.Unlock()
	a.do()
}
