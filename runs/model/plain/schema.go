package plain

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/schema"
)

// property is a member that a schema names.
type property = schema.Property

// shape is what a schema says of one value.
type shape struct {
	*schema.View
	types []string
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

// shapeOf puts together what a schema says; nil says nothing.
func shapeOf(o *schema.Outline) shape {
	if o == nil {
		o = &schema.Outline{}
	}
	return shapeAs(o.View())
}

func shapeAs(v *schema.View) shape {
	s := shape{v, v.Types}
	switch {
	case v.Typed:
	case len(v.Properties) > 0:
		s.types = []string{"object"}
	case v.Items != nil:
		s.types = []string{"array"}
	default:
		s.types = []string{"string"}
	}
	return s
}

// variants are the shapes of each way to satisfy anyOf and oneOf.
func (s shape) variants() (all []shape) {
	for _, v := range s.Variants() {
		all = append(all, shapeAs(v))
	}
	return all
}

func (s shape) is(typ string) bool { return slices.Contains(s.types, typ) }

// isSingle reports whether a single value may be given.
func (s shape) isSingle() bool {
	return slices.ContainsFunc(s.types, func(t string) bool { return t != "object" && t != "array" && t != "null" })
}

// isFree reports whether an object or anything may be given, under whatever
// names.
func (s shape) isFree() bool {
	return (!s.Typed || s.is("object")) && len(s.Properties)+len(s.Choices)+len(s.Enum) == 0 && s.Items == nil
}

// names are what a property may be called on a page.
func (s shape) names(name string) []string {
	names := []string{name}
	for _, hint := range []string{s.Title, s.Description} {
		if n := len(strings.Fields(hint)); n > 0 && n <= 4 {
			names = append(names, hint)
		}
	}
	return names
}

// maxNamed is how many outlines and properties are looked at for their names.
const maxNamed = 20_000

// propertyNames adds the names that a schema has for its values, at every level, and
// counts down what may still be looked at.
func propertyNames(o *schema.Outline, names map[*schema.Outline][]string, left *int) {
	if _, known := names[o]; known || o == nil || *left < 0 {
		return
	}
	s := shapeOf(o)
	*left -= s.Size
	names[o] = []string{s.Title}
	for _, p := range s.Properties {
		if *left < 0 {
			return
		}
		inner := shapeOf(p.Schema)
		*left -= inner.Size
		names[o] = append(names[o], inner.names(p.Name)...)
		propertyNames(p.Schema, names, left)
	}
	for _, inner := range append(slices.Concat(s.Choices...), s.Items) {
		propertyNames(inner, names, left)
	}
}
