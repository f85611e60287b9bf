package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/drover-go/drover/errtypes"
)

// Validate checks a value: what encoding/json decodes into an any, with or
// without UseNumber; other Go values are encoded first. A value that the
// schema does not accept is an error of kind Invalid whose cause is a
// [*Mismatch]; one that goes beyond the limits is of kind Invalid, too, and if
// it is the work that is too much the cause is [ErrTooMuchWork].
func (s *Schema) Validate(v any) error {
	g := guard{o: s.o}
	if bad := g.visit(v, 0); bad != nil {
		return bad.ofValue()
	}
	if g.foreign {
		raw, err := json.Marshal(v)
		if err != nil {
			return errtypes.New(errtypes.Invalid, "the value cannot be written as JSON").WithCause(err)
		}
		_, err = s.ValidateJSON(raw)
		return err
	}
	return s.validate(v, g.deepest)
}

// ValidateJSON decodes raw, numbers as [json.Number], and checks the value as
// Validate does. An object that has a name twice is refused. The value is
// returned also if the schema does not accept it.
func (s *Schema) ValidateJSON(raw []byte) (any, error) {
	v, depth, bad := parse(raw, parseLimits{size: s.o.MaxValueSize, depth: s.o.MaxValueDepth, values: s.o.MaxValues})
	if bad != nil {
		return nil, bad.ofValue()
	}
	return v, s.validate(v, depth)
}

func (s *Schema) validate(v any, depth int) error {
	in := s.take()
	if in == nil {
		return errtypes.New(errtypes.Internal, "a schema that was compiled before does not compile again")
	}
	err := in.run(v, depth, s.o.MaxWork)
	s.give(in)
	return s.judge(err)
}

// judge puts what a validation returned into the words of this package.
func (s *Schema) judge(err error) error {
	var violation *jsonschema.ValidationError
	var slow slowPattern
	switch {
	case err == nil:
		return nil
	case errors.As(err, &violation):
		m := mismatchOf(violation)
		return errtypes.New(errtypes.Invalid, "the value does not match the schema: %s", m.Text()).WithCause(m)
	case errors.As(err, &slow):
		return errtypes.New(errtypes.Invalid, "%v against a text of the value", slow).WithCause(err)
	case errors.Is(err, ErrTooMuchWork):
		return errtypes.New(errtypes.Invalid, "the value takes more than %d steps to check against the schema", s.o.MaxWork).WithCause(err)
	}
	return errtypes.New(errtypes.Internal, "the schema library failed").WithCause(err)
}

// errPanic is a panic of the library. None is known; one must not take the
// process with it.
type errPanic struct{ value any }

func (e errPanic) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// ofValue makes the error about a value that is too much.
func (p *placed) ofValue() *errtypes.Error {
	if p.at == "" {
		return errtypes.New(errtypes.Invalid, "the value %s", p.text)
	}
	return errtypes.New(errtypes.Invalid, "the value at %s %s", shortPointer(p.at), p.text)
}

// guard holds a decoded value against the limits.
type guard struct {
	o       Options
	values  int
	bytes   int
	deepest int
	foreign bool // a Go value that is not decoded JSON
}

func (g *guard) visit(v any, depth int) *placed {
	g.deepest = max(g.deepest, depth)
	if g.values++; g.values > g.o.MaxValues {
		return placedf("", "consists of more than %d values", g.o.MaxValues)
	}
	switch v := v.(type) {
	case nil, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return nil
	case float64:
		return g.float(v)
	case float32:
		return g.float(float64(v))
	case string:
		return g.text(v)
	case json.Number:
		return g.number(string(v))
	case map[string]any, []any:
		return g.nested(v, depth+1)
	}
	g.foreign = true
	return nil
}

func (g *guard) nested(v any, depth int) *placed {
	if depth > g.o.MaxValueDepth {
		return placedf("", "is nested deeper than %d levels", g.o.MaxValueDepth)
	}
	switch v := v.(type) {
	case map[string]any:
		for name, v := range v {
			if bad := g.text(name); bad != nil {
				return bad
			}
			if bad := g.visit(v, depth); bad != nil {
				return bad.inside(join("", name))
			}
		}
	case []any:
		for i, v := range v {
			if bad := g.visit(v, depth); bad != nil {
				return bad.inside(joinIndex("", i))
			}
		}
	}
	return nil
}

func (g *guard) text(s string) *placed {
	if g.bytes += len(s); g.bytes > g.o.MaxValueSize {
		return placedf("", "has more than %d bytes", g.o.MaxValueSize)
	}
	return nil
}

func (g *guard) number(text string) *placed {
	if text == "" || scanNumber(text) != len(text) {
		return placedf("", "is not a number")
	}
	if why := checkNumber(text); why != "" {
		return placedf("", "is a number that %s", why)
	}
	return nil
}

func (g *guard) float(f float64) *placed {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return placedf("", "is not a number that JSON has")
	}
	return nil
}

// inside returns p as seen from one level above.
func (p *placed) inside(step string) *placed {
	return &placed{at: step + p.at, text: p.text}
}
