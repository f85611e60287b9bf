package shape

import (
	"slices"

	"github.com/drover-go/drover/internal/schema"
)

// view is all that a schema says of one value: a subschema with those it refers
// to and those in allOf.
type view struct {
	*schema.View
	outline *schema.Outline
	types   types
	typed   bool    // there was a type, or one is guessed, and types are what is left of it
	order   []types // of the types as they were written
	props   []*prop
	names   []string // of the properties
	made    []*view  // the variants, once they are made
}

// anyView is what a schema says that says nothing.
var anyView = &schema.View{Outline: schema.Outline{MaxItems: -1}}

// types is a set of JSON types; none stands for any.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject

	scalarTypes = typeBoolean | typeInteger | typeNumber | typeString
)

var typesByName = map[string]types{
	"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject,
}

func setOf(list []string) (set types, order []types) {
	for _, name := range list {
		set |= typesByName[name]
		order = append(order, typesByName[name])
	}
	if set&typeNumber != 0 {
		set |= typeInteger
	}
	return set, order
}

// may reports whether the value may be of one of the types.
func (v *view) may(t types) bool { return !v.Never && (!v.typed || v.types&t != 0) }

// view puts the subschemas for one value together.
func (sh *shaper) view(o *schema.Outline) *view {
	v := sh.views[o]
	if v == nil {
		v = sh.viewOf(o, o.View(), nil)
		sh.views[o] = v
	}
	return v
}

// viewOf reads the names of the properties, those of base not again, and guesses
// no type but what the keywords are for.
func (sh *shaper) viewOf(o *schema.Outline, s *schema.View, base *view) *view {
	v := &view{View: s, outline: o, typed: s.Typed}
	v.types, v.order = setOf(s.Types)
	sh.m.Step(s.Size)
	if base != nil && base.typed {
		v.types &= base.types
	}
	for i, q := range s.Properties {
		sh.m.Step(16)
		p := &prop{name: q.Name, sub: q.Schema}
		if base != nil && i < len(base.props) {
			*p = *base.props[i]
		}
		p.required = slices.Contains(v.Required, p.name)
		p.read()
		v.props, v.names = append(v.props, p), append(v.names, p.name)
	}
	kind := kindOf(v.props)
	for _, p := range v.props {
		p.kind = kind
	}
	switch {
	case v.typed || v.Enum != nil:
	case len(v.props) > 0 || v.Additional != nil || len(v.Patterns) > 0:
		v.types, v.typed = typeObject, true
	case v.Items != nil || v.Prefix != nil:
		v.types, v.typed = typeArray, true
	}
	return v
}

// variants returns the views of each way to satisfy anyOf and oneOf; alternatives in
// alternatives are for the validation.
func (sh *shaper) variants(v *view) []*view {
	if v.made != nil {
		return v.made
	}
	v.made = []*view{v}
	if len(v.Choices) > 0 {
		v.made = nil
		for _, s := range v.Variants() {
			v.made = append(v.made, sh.viewOf(v.outline, s, v))
		}
	}
	v.made = slices.DeleteFunc(v.made, func(v *view) bool { return v.Never || v.typed && v.types&^typeNull == 0 })
	return v.made
}
