package cron

import (
	"math/bits"
	"time"
)

// horizon is how many years are searched. The rarest date is a fifth weekday of
// February, which can be forty years away.
const horizon = 41

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
)

// Local times are seconds since 1970 on the clocks of a zone.

// civil is the local time at which a date begins.
func civil(year int, month time.Month, day int) int64 {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()
}

// nextLocal is the first local time from one on, and before another, that reads as the
// expression says.
func (e Expression) nextLocal(from, until int64) (int64, bool) {
	for from < until {
		date := time.Unix(from, 0).UTC()
		year, month, d := date.Date()
		if e.months&(1<<month) == 0 {
			from = civil(year, month+1, 1)
			continue
		}
		start := civil(year, month, d)
		if e.due(date) {
			if s, ok := e.nextOfDay(int(from - start)); ok {
				at := start + int64(s)
				return at, at < until
			}
		}
		from = start + day
	}
	return 0, false
}

// nextOfDay is the first second of a day from one on.
func (e Expression) nextOfDay(from int) (int, bool) {
	h, m, s := from/hour, from/minute%60, from%60
	if s = next(e.seconds, s); s < 0 {
		m, s = m+1, first(e.seconds)
	}
	later := next(e.minutes, m)
	if later != m {
		s = first(e.seconds)
	}
	if m = later; m < 0 {
		h, m = h+1, first(e.minutes)
	}
	later = next(e.hours, h)
	if later != h {
		m, s = first(e.minutes), first(e.seconds)
	}
	return later*hour + m*minute + s, later >= 0
}

// next is the first value of a set from one on; -1 where there is none.
func next(set uint64, from int) int {
	if set >>= from; set == 0 {
		return -1
	}
	return from + bits.TrailingZeros64(set)
}

func first(set uint64) int { return bits.TrailingZeros64(set) }

// due is whether a date of a month that is meant is meant, too.
func (e Expression) due(date time.Time) bool {
	switch {
	case e.anyDay && e.anyWeekday:
		return true
	case e.anyDay:
		return e.dueWeekday(date)
	case e.anyWeekday:
		return e.dueDay(date)
	}
	return e.dueDay(date) || e.dueWeekday(date)
}

func (e Expression) dueDay(date time.Time) bool {
	return e.days&(1<<date.Day()) != 0 || e.lastDay && date.AddDate(0, 0, 1).Day() == 1
}

func (e Expression) dueWeekday(date time.Time) bool {
	day := uint64(1) << date.Weekday()
	return (e.weekdays|e.nth[(date.Day()+6)/7])&day != 0 ||
		e.nth[0]&day != 0 && date.AddDate(0, 0, 7).Month() != date.Month()
}
