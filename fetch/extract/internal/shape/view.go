package shape

import (
	"slices"

	"github.com/drover-go/drover/internal/schema"
)

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
)

var typesByName = map[string]types{
	"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject,
}

const scalarTypes = typeBoolean | typeInteger | typeNumber | typeString

// view is all that a schema says of one value: a subschema with those it refers
// to and those in allOf.
type view struct {
	outline *schema.Outline
	types   types
	typed   bool // there was a type, and types are what is left of it
	never   bool
	order   []types // of the types as they were written
	enum    []any
	format  string
	title   string
	about   string // the description
	props   []*prop
	told    bool     // the properties were told of what the schema is
	names   []string // of the properties
	prefix  []*schema.Outline
	items   *schema.Outline
	most    int // items, -1 for any
	need    []string
	// What may be there beside the properties.
	patterns   []schema.Pattern
	additional *schema.Outline
	closed     bool
	choices    [][]*schema.Outline
	made       []*view // the variants, once they are made
}

// view puts the subschemas for one value together.
func (sh *shaper) view(o *schema.Outline) *view {
	if v := sh.views[o]; v != nil {
		return v
	}
	v := &view{outline: o, most: -1}
	sh.views[o] = v
	sh.merge(v, o, 0)
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
	v.never = v.never || o.Never
	v.addTypes(o.Types)
	if v.enum == nil {
		v.enum = o.Enum
	}
	v.title, v.about, v.format = first(v.title, o.Title), first(v.about, o.Description), first(v.format, o.Format)
	v.need = append(v.need, o.Required...)
	for _, p := range o.Properties {
		v.addProp(p)
	}
	v.patterns, v.closed = append(v.patterns, o.Patterns...), v.closed || o.Closed
	if v.additional == nil {
		v.additional = o.Additional
	}
	if v.items == nil {
		v.items = o.Items
	}
	if v.prefix == nil {
		v.prefix = o.Prefix
	}
	if o.MaxItems >= 0 && (v.most < 0 || o.MaxItems < v.most) {
		v.most = o.MaxItems
	}
	for _, part := range o.Conditional {
		for _, p := range part.Properties {
			v.addProp(p) // whether it has to be there is for the validation
		}
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

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
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

func (v *view) addProp(p schema.Property) {
	if slices.ContainsFunc(v.props, func(q *prop) bool { return q.name == p.Name }) {
		return
	}
	v.props = append(v.props, &prop{name: p.Name, sub: p.Schema})
}

// finish reads the names of the properties, and guesses no type but what the
// keywords are for.
func (sh *shaper) finish(v *view) {
	v.names = nil
	for _, p := range v.props {
		v.names = append(v.names, p.name)
		p.required = slices.Contains(v.need, p.name)
		sh.m.Step(16)
		p.read()
	}
	if v.typed || v.enum != nil {
		return
	}
	switch {
	case len(v.props) > 0 || v.additional != nil || len(v.patterns) > 0:
		v.types, v.typed = typeObject, true
	case v.items != nil || v.prefix != nil:
		v.types, v.typed = typeArray, true
	}
}

// may reports whether the value may be of one of the types.
func (v *view) may(t types) bool { return !v.never && (!v.typed || v.types&t != 0) }

// maxVariants is how many ways to satisfy anyOf and oneOf are tried.
const maxVariants = 16

// variants returns the views of each way to satisfy anyOf and oneOf.
func (sh *shaper) variants(v *view) []*view {
	if v.made != nil {
		return v.made
	}
	v.made = []*view{v}
	for _, group := range v.choices {
		var next []*view
		for _, base := range v.made {
			for _, choice := range group {
				if len(next) < maxVariants {
					next = append(next, sh.with(base, choice))
				}
			}
		}
		v.made = next
	}
	v.made = slices.DeleteFunc(v.made, func(v *view) bool { return v.never || v.typed && v.types&^typeNull == 0 })
	return v.made
}

// with returns the view with one alternative put into it.
func (sh *shaper) with(base *view, choice *schema.Outline) *view {
	v := *base
	v.made, v.choices = nil, nil
	v.props, v.order, v.need = slices.Clone(base.props), slices.Clone(base.order), slices.Clone(base.need)
	v.patterns = slices.Clone(base.patterns)
	for i, p := range v.props {
		same := *p
		v.props[i] = &same
	}
	sh.merge(&v, choice, 0)
	v.choices = nil // alternatives in alternatives are for the validation
	sh.finish(&v)
	return &v
}
