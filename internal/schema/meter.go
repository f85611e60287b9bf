package schema

import (
	"errors"
	"time"
)

// ErrTooMuchWork is the cause of the error of a validation that was ended
// because it took more than [Options.MaxWork] steps.
var ErrTooMuchWork = errors.New("the validation takes too many steps")

// meter counts the steps of one validation. One step is what takes a fifth of
// a microsecond or less: to apply a subschema to a value, to look at a member.
type meter struct {
	left  int
	each  int // what it costs to apply any subschema to any value
	scope int // what it costs to look through all subschemas around one
}

// stepsEach is what it takes to apply a subschema at least. To that come a
// look at those around it that apply to the same value, and a copy of the way
// through the value if it fails.
const stepsEach = 2

// exhausted is what a meter panics with.
type exhausted struct {
	pattern *pattern // which was stopped; nil for none
}

func (e exhausted) err() error {
	if e.pattern != nil {
		return slowPattern{e.pattern.text}
	}
	return ErrTooMuchWork
}

// slowPattern is a regular expression that took too long.
type slowPattern struct{ text string }

func (e slowPattern) Error() string {
	return "the regular expression " + quote(e.text) + " takes too long"
}

func (slowPattern) Unwrap() error { return ErrTooMuchWork }

// spend takes steps off the meter. The library has no way to end early, so
// the end is a panic, which unwinds through its frames: they hold no locks and
// share nothing. Only [instance.run] recovers from it.
func (m *meter) spend(steps int) {
	if m.left -= steps; m.left < 0 {
		panic(exhausted{})
	}
}

// metered is a regular expression whose matches are counted.
type metered struct {
	*pattern
	m *meter
}

const (
	// bytesPerStep is what a regular expression of one step reads in a step of the
	// meter; matching takes time proportional to size × length (measured: up to 7
	// nanoseconds for each).
	bytesPerStep = 32
	// stepTime is the time of an engine that goes back for which a step is taken.
	// It is measured, since nothing else tells what a match costs, and longer
	// than a step, since the machine may do something else in it.
	stepTime = time.Microsecond
)

// MatchString implements the library's Regexp.
func (r metered) MatchString(s string) bool {
	if r.re2 != nil {
		r.m.spend(1 + r.size*len(s)/bytesPerStep)
		return r.re2.MatchString(s)
	}
	r.m.spend(1 + len(s)/bytesPerStep)
	began := time.Now()
	ok, err := r.matches(s)
	if err != nil {
		r.m.left = 0
		panic(exhausted{r.pattern})
	}
	r.m.spend(int(time.Since(began) / stepTime))
	return ok
}

// String implements the library's Regexp.
func (r metered) String() string { return r.text }
