package shape

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// byNumber puts the number that people see on the page before that which it
// has for machines, which is often the one of a variant.
func byNumber(all []candidate) []candidate {
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
