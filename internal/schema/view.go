package schema

import (
	"cmp"
	"slices"
)

// View is all that a schema says of one value: an outline with those it refers
// to, those in its allOf and the properties of its conditional ones put into it,
// so that it has no Ref, AllOf and Conditional.
type View struct {
	Outline
	// Typed says that "type" is there; Types are those that it leaves, in the order
	// of the first.
	Typed bool
	// Choices are the groups of alternatives of which one holds each.
	Choices [][]*Outline
	// Size is how many outlines and properties were looked at.
	Size int
}

// The most outlines that are put together, inside each other and in all.
const maxInPlace, maxTogether = 64, 10_000

// View puts the outlines for one value together.
func (o *Outline) View() *View {
	v := &View{Outline: Outline{At: o.At, MaxItems: -1}}
	v.add(o, 0)
	return v
}

// With is the view with an alternative put into it. The alternatives of that, and
// those of the view, are left to the validation.
func (v *View) With(choice *Outline) *View {
	w := *v
	w.Properties, w.Required, w.Patterns, w.Size = slices.Clip(w.Properties), slices.Clip(w.Required), slices.Clip(w.Patterns), 0
	w.add(choice, 0)
	w.Choices = nil
	return &w
}

// maxVariants is how many ways to satisfy anyOf and oneOf there are at most.
const maxVariants = 16

// Variants are the views of each way to satisfy the choices; of one without any
// it is itself. Once too much was looked at, the choices that are left are for the
// validation.
func (v *View) Variants() []*View {
	all, size := []*View{v}, 0
	for _, group := range v.Choices {
		var next []*View
		for _, base := range all {
			for _, choice := range group[:min(len(group), maxVariants-len(next))] {
				if size > maxTogether {
					break
				}
				next = append(next, base.With(choice))
				size += next[len(next)-1].Size
			}
		}
		if len(next) == 0 {
			break
		}
		all = next
	}
	return all
}

func (v *View) add(o *Outline, depth int) {
	if v.Size += 1 + len(o.Properties); depth > maxInPlace || v.Size > maxTogether {
		return
	}
	v.Never, v.Closed, v.Unique = v.Never || o.Never, v.Closed || o.Closed, v.Unique || o.Unique
	v.Title, v.Description, v.Format = cmp.Or(v.Title, o.Title), cmp.Or(v.Description, o.Description), cmp.Or(v.Format, o.Format)
	v.Additional, v.Items = cmp.Or(v.Additional, o.Additional), cmp.Or(v.Items, o.Items)
	v.Required, v.Patterns = append(v.Required, o.Required...), append(v.Patterns, o.Patterns...)
	if v.Enum == nil {
		v.Enum = o.Enum
	}
	if v.Prefix == nil {
		v.Prefix = o.Prefix
	}
	if o.MaxItems >= 0 && (v.MaxItems < 0 || o.MaxItems < v.MaxItems) {
		v.MaxItems = o.MaxItems
	}
	v.addTypes(o.Types)
	v.addProperties(o)
	for _, part := range o.Conditional {
		v.addProperties(part) // whether they have to be there is for the validation
	}
	for _, group := range [][]*Outline{o.AnyOf, o.OneOf} {
		if len(group) > 0 {
			v.Choices = append(slices.Clip(v.Choices), group)
		}
	}
	if o.Ref != nil {
		v.add(o.Ref, depth+1)
	}
	for _, part := range o.AllOf {
		v.add(part, depth+1)
	}
}

func (v *View) addProperties(o *Outline) {
	known := v.Properties // those of one outline all have other names
	for _, p := range o.Properties {
		if !slices.ContainsFunc(known, func(q Property) bool { return q.Name == p.Name }) {
			v.Properties = append(v.Properties, p)
		}
	}
}

func (v *View) addTypes(list []string) {
	switch {
	case len(list) == 0:
		return
	case !v.Typed:
		v.Types, v.Typed = list, true
		return
	}
	var left []string
	for _, t := range v.Types {
		switch {
		case slices.Contains(list, t) || t == "integer" && slices.Contains(list, "number"):
			left = append(left, t)
		case t == "number" && slices.Contains(list, "integer"):
			left = append(left, "integer")
		}
	}
	v.Types = left
}
