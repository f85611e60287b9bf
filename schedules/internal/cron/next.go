package cron

import "time"

// Next returns the first time after another that is due, to the second; false where there
// is none within decades. It costs about as much whenever that is.
func (e Expression) Next(after time.Time, in *time.Location) (time.Time, bool) {
	t := after.Unix() + 1
	until := after.AddDate(horizon, 0, 0).Unix()
	for t < until {
		p := periodOf(t, in)
		if at, ok := e.within(p, t); ok {
			return time.Unix(at, 0).In(in), true
		}
		if p.last {
			break
		}
		t = p.end
	}
	return time.Time{}, false
}

// period is a time through which the clocks of a zone have one distance to UTC, in
// seconds; before is the distance that they had before it.
type period struct {
	start, end     int64
	offset, before int64
	last           bool // it does not end
}

func periodOf(t int64, in *time.Location) period {
	at := time.Unix(t, 0).In(in)
	start, end := at.ZoneBounds()
	_, offset := at.Zone()
	p := period{offset: int64(offset), before: int64(offset)}
	switch p.last = end.IsZero(); {
	case p.last:
		p.end = at.AddDate(horizon, 0, 0).Unix()
	case !end.After(at):
		// Beyond its tables package time has leap years end a day too soon, and with
		// them the periods.
		p.end = t + day
	default:
		p.end = end.Unix()
	}
	if start.IsZero() {
		p.start = t
		return p
	}
	p.start = start.Unix()
	_, before := start.Add(-time.Second).Zone()
	p.before = int64(before)
	return p
}

// within is the first instant of the period from t on that is due.
func (e Expression) within(p period, t int64) (int64, bool) {
	from := t + p.offset
	if e.everyHour() {
		at, ok := e.nextLocal(from, p.end+p.offset)
		return at - p.offset, ok
	}
	// Until the clocks show again what they have shown before, nothing is due anew.
	at, ok := e.nextLocal(max(from, p.start+p.before), p.end+p.offset)
	at -= p.offset
	if moved, found := e.moved(p, t); found && (!ok || moved < at) {
		return moved, true
	}
	return at, ok
}

// moved is the first instant from t on that a time is moved to which the clocks have left
// out when the period began.
func (e Expression) moved(p period, t int64) (int64, bool) {
	at, ok := e.nextLocal(max(t, p.start)+p.before, p.start+p.offset)
	at -= p.before
	return at, ok && at < p.end
}
