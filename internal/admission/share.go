package admission

import (
	"cmp"
	"slices"
)

// Outgrown says how to end what the grant is for where it has grown beyond what
// was reserved, its project takes more than its share, and others wait: see the
// package. End is called at most once; it must not block, and see to it that the
// grant is released soon.
func (g *Grant) Outgrown(end func()) {
	g.ledger.mu.Lock()
	defer g.ledger.mu.Unlock()
	g.outgrown = end
}

// press ends for one that has waited for long what has outgrown the share of its
// project.
func (l *Ledger) press(w *waiter) {
	l.mu.Lock()
	var a actions
	if slices.Contains(l.waiting, w) {
		a.ends = l.cutBack(w.request)
	}
	l.mu.Unlock()
	a.do()
}

// cutBack picks what is to be ended for a request, beside what is being ended
// already. The lock is held.
func (l *Ledger) cutBack(r Request) (ends []func()) {
	used, share := l.shares()
	if used[r.Project]+r.Bytes > share {
		return nil
	}
	short := r.Bytes - l.free() - l.ending
	for _, o := range l.overgrown() {
		project := o.grant.request.Project
		if short <= 0 {
			break
		}
		if used[project] <= share {
			continue
		}
		used[project] -= o.bytes
		short -= o.bytes
		l.ending += o.grant.counted
		o.grant.ending = true
		ends = append(ends, o.grant.outgrown)
	}
	return ends
}

// shares is what each project has, and what each could have if all had as much. The
// lock is held.
func (l *Ledger) shares() (used map[string]int64, share int64) {
	used = map[string]int64{}
	for g := range l.grants {
		used[g.request.Project] += g.counted
	}
	for _, w := range l.waiting {
		used[w.request.Project] += 0
	}
	return used, l.opts.Memory / int64(max(len(used), 1))
}

// A whole is a grant with what is within it.
type whole struct {
	grant           *Grant
	bytes, reserved int64
}

// overgrown is what takes more than was reserved, and can be ended; the largest
// first. The lock is held.
func (l *Ledger) overgrown() (all []whole) {
	parts := map[*Grant]whole{}
	for g := range l.grants {
		of := cmp.Or(g.request.Within, g)
		o := parts[of]
		parts[of] = whole{of, o.bytes + g.counted, o.reserved + g.request.Bytes}
	}
	for g, o := range parts {
		if g.outgrown != nil && !g.ending && !g.released && o.bytes > o.reserved {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b whole) int { return cmp.Compare(b.bytes, a.bytes) })
	return all
}
