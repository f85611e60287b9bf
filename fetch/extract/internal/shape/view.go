package shape

import (
	"slices"

	"github.com/drover-go/drover/internal/schema"
)

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
	v.unique = v.unique || o.Unique
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
