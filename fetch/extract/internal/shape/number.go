package shape

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// byNumber puts the number that people see on the page before that which it
// has for machines, which is often the one of a variant. That in the page's
// address comes last, and counts only on a page that has a product, or says what
// something costs or whether it can be had.
func (sh *shaper) byNumber(all []candidate) []candidate {
	sells := sh.hasFamily("Product") || slices.ContainsFunc(sh.things.page, func(e *graph.Entity) bool {
		return e.Get("price") != nil || e.Get("availability") != nil
	})
	tier := func(c candidate) int {
		switch {
		case isPage(c.entity) && c.field.Name == graph.ShownNumber:
			return 0
		case isPage(c.entity) && c.field.Name == graph.AddressNumber:
			return 2
		}
		return 1
	}
	all = slices.DeleteFunc(all, func(c candidate) bool {
		return tier(c) == 2 && !sells || isPage(c.entity) && c.entity.Source > graph.State && !isCode(c.field.Values[0].Text)
	})
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(tier(a), tier(b)) })
	return all
}
