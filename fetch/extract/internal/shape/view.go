package shape

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/internal/schema"
)

// view is all that a schema says of one value: a subschema with those it refers
// to and those in allOf.
type view struct {
	outline *schema.Outline
	parts   []*schema.Outline // it, and the alternatives that were chosen
	types   types
	typed   bool // there was a type, and types are what is left of it
	never   bool
	order   []types // of the types as they were written
	enum    []any
	format  string
	title   string
	about   string // the description
	props   []*prop
	names   []string // of the properties
	prefix  []*schema.Outline
	items   *schema.Outline
	most    int  // items, -1 for any
	unique  bool // no item comes twice
	need    []string
	// What may be there beside the properties.
	patterns   []schema.Pattern
	additional *schema.Outline
	closed     bool
	choices    [][]*schema.Outline
	made       []*view // the variants, once they are made
}

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

func (v *view) addTypes(list []string) {
	if len(list) == 0 {
		return
	}
	set := types(0)
	for _, name := range list {
		set |= typesByName[name]
		if !v.typed {
			v.order = append(v.order, typesByName[name])
		}
	}
	if set&typeNumber != 0 {
		set |= typeInteger
	}
	if v.typed {
		set &= v.types
	}
	v.types, v.typed = set, true
}

// may reports whether the value may be of one of the types.
func (v *view) may(t types) bool { return !v.never && (!v.typed || v.types&t != 0) }

// view puts the subschemas for one value together, once.
func (sh *shaper) view(o *schema.Outline) *view {
	if sh.views[o] == nil {
		sh.views[o] = sh.viewOf(o)
	}
	return sh.views[o]
}

// viewOf puts a subschema together with alternatives that were chosen.
func (sh *shaper) viewOf(parts ...*schema.Outline) *view {
	v := &view{outline: parts[0], parts: parts, most: -1}
	for _, o := range parts {
		sh.merge(v, o, 0)
	}
	sh.finish(v)
	return v
}

// maxInPlace is how many subschemas may stand inside each other for one value;
// internal/schema has refused those that do so in a circle.
const maxInPlace = 64

func (sh *shaper) merge(v *view, o *schema.Outline, depth int) {
	sh.m.Step(1 + len(o.Properties))
	if depth > maxInPlace {
		return
	}
	v.never, v.closed, v.unique = v.never || o.Never, v.closed || o.Closed, v.unique || o.Unique
	v.title, v.about, v.format = cmp.Or(v.title, o.Title), cmp.Or(v.about, o.Description), cmp.Or(v.format, o.Format)
	v.additional, v.items = cmp.Or(v.additional, o.Additional), cmp.Or(v.items, o.Items)
	v.need, v.patterns = append(v.need, o.Required...), append(v.patterns, o.Patterns...)
	v.addTypes(o.Types)
	if v.enum == nil {
		v.enum = o.Enum
	}
	if v.prefix == nil {
		v.prefix = o.Prefix
	}
	if o.MaxItems >= 0 && (v.most < 0 || o.MaxItems < v.most) {
		v.most = o.MaxItems
	}
	v.addProps(o)
	for _, part := range o.Conditional {
		v.addProps(part) // whether they have to be there is for the validation
	}
	for _, group := range [][]*schema.Outline{o.AnyOf, o.OneOf} {
		if len(group) > 0 {
			v.choices = append(v.choices, group)
		}
	}
	if o.Ref != nil {
		sh.merge(v, o.Ref, depth+1)
	}
	for _, part := range o.AllOf {
		sh.merge(v, part, depth+1)
	}
}

func (v *view) addProps(o *schema.Outline) {
	for _, p := range o.Properties {
		if !slices.ContainsFunc(v.props, func(q *prop) bool { return q.name == p.Name }) {
			v.props = append(v.props, &prop{name: p.Name, sub: p.Schema})
		}
	}
}

// finish reads the names of the properties, and guesses no type but what the
// keywords are for.
func (sh *shaper) finish(v *view) {
	for _, p := range v.props {
		v.names = append(v.names, p.name)
		p.required = slices.Contains(v.need, p.name)
		sh.m.Step(16)
		p.read()
	}
	kind := kindOf(v.props)
	for _, p := range v.props {
		p.kind = kind
	}
	if v.typed || v.enum != nil {
		return
	}
	switch {
	case len(v.props) > 0 || v.additional != nil || len(v.patterns) > 0:
		v.addTypes([]string{"object"})
	case v.items != nil || v.prefix != nil:
		v.addTypes([]string{"array"})
	}
}

// maxVariants is how many ways to satisfy anyOf and oneOf are tried.
const maxVariants = 16

// variants returns the views of each way to satisfy anyOf and oneOf. Alternatives
// in alternatives are for the validation.
func (sh *shaper) variants(v *view) []*view {
	if v.made != nil {
		return v.made
	}
	v.made = []*view{v}
	for _, group := range v.choices {
		var next []*view
		for _, base := range v.made {
			for _, choice := range group[:min(len(group), maxVariants-len(next))] {
				next = append(next, sh.viewOf(append(slices.Clip(base.parts), choice)...))
			}
		}
		v.made = next
	}
	v.made = slices.DeleteFunc(v.made, func(v *view) bool { return v.never || v.typed && v.types&^typeNull == 0 })
	return v.made
}
