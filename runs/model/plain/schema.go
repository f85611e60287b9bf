package plain

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/schema"
)

// property is a member that a schema names.
type property = schema.Property

// shape is what a schema says of one value, as far as filling it needs it: what it
// refers to and its allOf are put together.
type shape struct {
	types    []string
	props    []property
	required []string
	items    *schema.Outline
	enum     []any
	format   string
	title    string
	describe string
	choices  []*schema.Outline // anyOf, oneOf
	// additional is the schema of members that are not named; nil for any.
	additional *schema.Outline
	// untyped says that the schema does not say which type.
	untyped bool
}

// outlineOf reads a schema that the run has checked; both are nil for one that
// cannot be read.
func outlineOf(raw json.RawMessage) (*schema.Schema, *schema.Outline) {
	s, err := schema.Compile(raw, schema.Options{AssertFormat: true})
	if err != nil {
		return nil, nil
	}
	top, err := s.Outline()
	if err != nil {
		return nil, nil
	}
	return s, top
}

// maxRefs bounds a chain of references.
const maxRefs = 20

// shapeOf puts together what a schema says; nil says nothing.
func shapeOf(o *schema.Outline) (s shape) {
	if o != nil {
		s.add(o, 0)
	}
	switch {
	case len(s.types) > 0 || len(s.choices) > 0:
	case len(s.props) > 0:
		s.types = []string{"object"}
	case s.items != nil:
		s.types = []string{"array"}
	default:
		s.types, s.untyped = []string{"string"}, len(s.enum) == 0
	}
	return s
}

func (s *shape) add(o *schema.Outline, depth int) {
	if depth > maxRefs {
		return
	}
	s.props, s.required = append(s.props, o.Properties...), append(s.required, o.Required...)
	if len(s.types) == 0 {
		s.types = o.Types
	}
	if s.enum == nil {
		s.enum = o.Enum
	}
	s.items, s.additional = cmp.Or(s.items, o.Items), cmp.Or(s.additional, o.Additional)
	s.format, s.title, s.describe = cmp.Or(s.format, o.Format), cmp.Or(s.title, o.Title), cmp.Or(s.describe, o.Description)
	s.choices = append(s.choices, append(slices.Clone(o.AnyOf), o.OneOf...)...)
	if o.Ref != nil {
		s.add(o.Ref, depth+1)
	}
	for _, part := range o.AllOf { // whose choices are for the validation
		choices := s.choices
		s.add(part, depth+1)
		s.choices = choices
	}
}

func (s shape) is(typ string) bool { return slices.Contains(s.types, typ) }

// isFree reports whether an object or anything may be given, under whatever
// names.
func (s shape) isFree() bool {
	return (s.untyped || s.is("object")) && len(s.props)+len(s.choices)+len(s.enum) == 0 && s.items == nil
}

// names are what a property may be called on a page.
func (s shape) names(name string) []string {
	names := []string{name}
	for _, hint := range []string{s.title, s.describe} {
		if n := len(strings.Fields(hint)); n > 0 && n <= 4 {
			names = append(names, hint)
		}
	}
	return names
}

// propertyNames adds the names that a schema has for its values, at every level.
func propertyNames(o *schema.Outline, names map[*schema.Outline][]string) {
	if _, known := names[o]; known || o == nil {
		return
	}
	s := shapeOf(o)
	names[o] = []string{s.title}
	for _, p := range s.props {
		names[o] = append(names[o], shapeOf(p.Schema).names(p.Name)...)
		propertyNames(p.Schema, names)
	}
	for _, inner := range append(slices.Clone(s.choices), s.items) {
		propertyNames(inner, names)
	}
}
