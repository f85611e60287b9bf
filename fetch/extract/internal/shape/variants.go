package shape

import (
	"slices"

	"github.com/drover-go/drover/internal/schema"
)

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
