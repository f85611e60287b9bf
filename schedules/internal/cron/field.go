package cron

import (
	"fmt"
	"strconv"
	"strings"
)

// field is one of the six.
type field struct {
	name     string
	min, max int
	// names are what values may be called, in upper case.
	names map[string]int
	set   func(*Expression) *uint64
	// any, if the field may say nothing, notes that it does.
	any func(*Expression) *bool
	// special reads what only this field has; nil where it has nothing.
	special func(*Expression, string) (done bool, err error)
}

var layout = [...]field{
	{name: "second", max: 59, set: func(e *Expression) *uint64 { return &e.seconds }},
	{name: "minute", max: 59, set: func(e *Expression) *uint64 { return &e.minutes }},
	{name: "hour", max: 23, set: func(e *Expression) *uint64 { return &e.hours }},
	{name: "day of the month", min: 1, max: 31, set: func(e *Expression) *uint64 { return &e.days }, any: func(e *Expression) *bool { return &e.anyDay }, special: lastDay},
	{name: "month", min: 1, max: 12, names: named(1, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"), set: func(e *Expression) *uint64 { return &e.months }},
	{name: "day of the week", max: 7, names: weekdayNames, set: func(e *Expression) *uint64 { return &e.weekdays }, any: func(e *Expression) *bool { return &e.anyWeekday }, special: nthWeekday},
}

var weekdayNames = named(0, "SUN MON TUE WED THU FRI SAT")

const sunday = 7 // is 0, too

func named(first int, names string) map[string]int {
	all := map[string]int{}
	for i, n := range strings.Fields(names) {
		all[n] = first + i
	}
	return all
}

// span is the set of all values from a to b.
func span(a, b int) uint64 { return (1<<(b-a+1) - 1) << a }

// parse reads a list of ranges.
func (f field) parse(e *Expression, s string) error {
	if f.any != nil {
		*f.any(e) = s == "*" || s == "?"
	}
	for item := range strings.SplitSeq(s, ",") {
		if err := f.item(e, item); err != nil {
			return fmt.Errorf("%s %q: %w", f.name, s, err)
		}
	}
	if f.max == sunday {
		days := f.set(e)
		*days = (*days | *days>>sunday) & span(0, 6)
	}
	return nil
}

func (f field) item(e *Expression, s string) error {
	if f.special != nil {
		if done, err := f.special(e, s); done || err != nil {
			return err
		}
	}
	base, by, stepped := strings.Cut(s, "/")
	first, last, err := f.bounds(base, stepped)
	if err != nil {
		return err
	}
	step := 1
	if stepped {
		if step, err = number(by); err != nil || step < 1 {
			return fmt.Errorf("a step is a number from 1, not %q", by)
		}
	}
	for v := first; v <= last; v += step {
		*f.set(e) |= 1 << v
	}
	return nil
}

// bounds reads a value, a range or a star. A value with a step begins a range.
func (f field) bounds(s string, stepped bool) (first, last int, err error) {
	if s == "*" || s == "?" && f.any != nil {
		return f.min, f.max, nil
	}
	from, to, isRange := strings.Cut(s, "-")
	if first, err = f.value(from); err != nil {
		return 0, 0, err
	}
	switch {
	case isRange:
		if last, err = f.value(to); err != nil {
			return 0, 0, err
		}
		if f.max == sunday && last == 0 && first > 0 {
			last = sunday // a week that ends with Sunday
		}
		if last < first {
			return 0, 0, fmt.Errorf("the range %s ends before it begins", s)
		}
		return first, last, nil
	case stepped:
		return first, f.max, nil
	}
	return first, first, nil
}

func (f field) value(s string) (int, error) {
	if v, ok := f.names[strings.ToUpper(s)]; ok {
		return v, nil
	}
	v, err := number(s)
	if err != nil || v < f.min || v > f.max {
		return 0, fmt.Errorf("%q is not from %d to %d", s, f.min, f.max)
	}
	return v, nil
}

// number reads digits; no sign, and no more than fits into a field.
func number(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	return int(n), err
}

// lastDay reads L, the last day of the month.
func lastDay(e *Expression, s string) (bool, error) {
	if s != "L" {
		return false, nil
	}
	e.lastDay = true
	return true, nil
}

// nthWeekday reads 1#2, the second Monday of the month, and 5L, the last Friday.
func nthWeekday(e *Expression, s string) (bool, error) {
	day, which, ok := strings.Cut(s, "#")
	n := 0 // the last
	if ok {
		var err error
		if n, err = number(which); err != nil || n < 1 || n > 5 {
			return false, fmt.Errorf("%q is not from 1 to 5", which)
		}
	} else if day, ok = strings.CutSuffix(s, "L"); !ok || day == "" {
		return false, nil
	}
	v, err := field{max: sunday, names: weekdayNames}.value(day)
	if err != nil {
		return false, err
	}
	e.nth[n] |= 1 << (v % sunday)
	return true, nil
}
