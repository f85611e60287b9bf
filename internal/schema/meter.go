package schema

import "errors"

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

// exhausted is what spend panics with.
type exhausted struct{}

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

// bytesPerStep is what a regular expression of one step reads in a step of the
// meter; matching takes time proportional to size × length (measured: up to 7
// nanoseconds for each).
const bytesPerStep = 32

// MatchString implements the library's Regexp.
func (r metered) MatchString(s string) bool {
	r.m.spend(1 + r.size*len(s)/bytesPerStep)
	return r.match(s)
}

// String implements the library's Regexp.
func (r metered) String() string { return r.text }
