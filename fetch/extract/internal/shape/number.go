package shape

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// byNumber puts the number that people see on the page before that which it
// has for machines, which is often the one of a variant. That in the page's
// address comes last, and counts only on a page that sells something.
func (sh *shaper) byNumber(all []candidate) []candidate {
	if !sh.sells() {
		all = slices.DeleteFunc(all, func(c candidate) bool { return numberTier(c) == 2 })
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(numberTier(a), numberTier(b)) })
	return all
}

func numberTier(c candidate) int {
	switch {
	case !isPage(c.entity):
	case c.field.Name == graph.ShownNumber:
		return 0
	case c.field.Name == graph.AddressNumber:
		return 2
	}
	return 1
}

// sells reports whether a page has a product, or says what something costs or
// whether it can be had.
func (sh *shaper) sells() bool {
	if len(sh.things.byFamily["Product"]) > 0 {
		return true
	}
	return slices.ContainsFunc(sh.things.page, func(e *graph.Entity) bool {
		return len(e.Get("price")) > 0 || len(e.Get("availability")) > 0
	})
}
