package cron

import (
	"math/bits"
	"time"
)

// Count is how many times after one and up to another are due, and the first and the last of
// them. Days through which no clock is changed are counted whole, so that years of seconds
// are counted soon.
func (e Expression) Count(after, until time.Time, in *time.Location) (n int, first, last time.Time) {
	for t, today := after, dateOf(after.Unix(), periodOf(after.Unix(), in)); ; {
		at, ok := e.Next(t, in)
		if !ok || at.After(until) {
			return n, first, last
		}
		if n++; n == 1 {
			first = at
		}
		t, last = at, at
		p := periodOf(at.Unix(), in)
		date := dateOf(at.Unix(), p)
		if date == today {
			continue
		}
		today = date
		if of, counted, end := e.wholeDays(p, date, until.Unix()); counted > 0 {
			n += counted - 1 // at is the first of them
			t, last = time.Unix(end-1, 0), time.Unix(of, 0).In(in)
		}
	}
}

// settled is how long after a change of clocks no time is moved or comes twice.
const settled = 2 * day

// wholeDays counts what is due in all days from one on, a local time, that end before a time
// and before clocks are changed: the last of it, how many, and the instant at which the days
// end.
func (e Expression) wholeDays(p period, date, until int64) (last int64, n int, end int64) {
	if date < p.start+p.offset+settled && p.before != p.offset {
		return 0, 0, 0
	}
	perDay := bits.OnesCount64(e.hours) * bits.OnesCount64(e.minutes) * bits.OnesCount64(e.seconds)
	lastOfDay := int64(highest(e.hours)*hour + highest(e.minutes)*minute + highest(e.seconds))
	for ; date+day <= min(until, p.end)+p.offset; date += day {
		if at := time.Unix(date, 0).UTC(); e.months&(1<<at.Month()) != 0 && e.due(at) {
			last, n = date+lastOfDay-p.offset, n+perDay
		}
	}
	return last, n, date - p.offset
}

func highest(set uint64) int { return bits.Len64(set) - 1 }

// dateOf is the local time at which the date of an instant begins.
func dateOf(t int64, p period) int64 {
	t += p.offset
	return t - (t%day+day)%day
}
