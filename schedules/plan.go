package schedules

import (
	"slices"
	"time"
)

// minInterval is how far slots are apart that are started (wire-v2, 1).
const minInterval = 10 * time.Second

// maxPlanned is how many slots are planned at once. What is overdue beyond waits for the
// next turn, which comes at once.
const maxPlanned = 100_000

// maxStarts is how many slots of a schedule are started in one transaction, and batchStarts
// how many starts of all schedules it has, unless each of them has but one slot.
const (
	maxStarts   = 100
	batchStarts = 1000
)

// span is one slot, or several that are skipped for the same reason.
type span struct {
	at, until time.Time
	count     int
	// reason is empty for a slot that is to be started.
	reason   Reason
	caughtUp bool
}

// state is what is kept of the time of a schedule.
type state struct {
	// cursor is the last slot that has been decided, or the time from which on slots are
	// due. last is the last slot that was to be started; zero before.
	cursor, last time.Time
}

// plan is what becomes of all slots up to a time.
type plan struct {
	spans []span // in order
	state        // afterwards
	// next is when to look again; zero where nothing is due any more.
	next time.Time
}

// planner decides about slots.
type planner struct {
	timing
	catchUp CatchUp
	grace   time.Duration
	// most is how many slots are started in one plan, at least 1.
	most int
}

// share is how many slots of a schedule with so many actions are started in a transaction of
// so many schedules.
func share(schedules, actions int) int {
	return min(maxStarts, max(1, batchStarts/max(1, schedules*actions)))
}

// due plans the slots after a state, up to now. No slot is left out.
func (p planner) due(s state, now time.Time) plan {
	out := plan{state: s}
	waiting := -1 // the last one that is to be started
	overdue, starts := 0, 0
	at, ok := p.next(out.cursor)
	for n := 0; ok && !at.After(now) && n < maxPlanned && starts < p.most; n++ {
		one := span{at: at, until: at, count: 1}
		switch {
		case !out.last.IsZero() && at.Sub(out.last) < minInterval:
			one.reason = TooSoon
		case p.catchUp == CatchUpNone && now.Sub(at) > p.grace:
			one.reason = Missed
		default:
			overdue++
			out.last = at
			if p.catchUp == CatchUpLast && waiting >= 0 {
				out.spans[waiting].reason = Missed
			} else {
				starts++
			}
			waiting = len(out.spans)
		}
		out.spans = append(out.spans, one)
		out.cursor = at
		at, ok = p.next(at)
	}
	if p.catchUp == CatchUpLast && waiting >= 0 && ok && !at.After(now) {
		out.spans[waiting].reason = Missed // more is overdue than was planned
	}
	missTooSoon(out.spans)
	out.spans = merged(out.spans, overdue > 1)
	if ok {
		out.next = p.first(at, out.last)
	}
	return out
}

// missTooSoon has slots be missed that lie between others which are: nobody was there for
// them either, and they share a row.
func missTooSoon(all []span) {
	seen := -1 // the last one that is missed
	for i := range all {
		if all[i].reason != Missed {
			continue
		}
		for j := seen + 1; seen >= 0 && j < i; j++ {
			all[j].reason = Missed
		}
		seen = i
	}
}

// first is the first slot from one on that is not too soon.
func (p planner) first(at, last time.Time) time.Time {
	if soonest := last.Add(minInterval); !last.IsZero() && at.Before(soonest) {
		at, _ = p.next(soonest.Add(-time.Second))
	}
	return at
}

// merged joins what follows each other and is skipped for the same reason.
func merged(all []span, caughtUp bool) (out []span) {
	for _, s := range all {
		if n := len(out) - 1; n >= 0 && s.reason != "" && out[n].reason == s.reason {
			out[n].until = s.until
			out[n].count++
			continue
		}
		s.caughtUp = caughtUp && s.reason != TooSoon
		out = append(out, s)
	}
	return out
}

// without leaves out of spans the slots that have been recorded already.
func (p planner) without(all []span, known []time.Time) []span {
	if len(known) == 0 || p.zone == nil { // it cannot be read
		return all
	}
	var out []span
	for _, s := range all {
		var part *span
		for at := s.at; !at.After(s.until); at, _ = p.next(at) {
			_, found := slices.BinarySearchFunc(known, at, time.Time.Compare)
			switch {
			case found:
				part = nil
			case part == nil:
				out = append(out, span{at: at, until: at, count: 1, reason: s.reason, caughtUp: s.caughtUp})
				part = &out[len(out)-1]
			default:
				part.until = at
				part.count++
			}
		}
	}
	return out
}
