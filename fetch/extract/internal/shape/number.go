package shape

import (
	"cmp"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// byNumber puts the number that people see on the page before that which it
// has for machines, which is often the one of a variant. That in the page's
// address comes last, and counts only on a page that sells something; it comes
// first where the one for machines only adds to it.
func (sh *shaper) byNumber(all []candidate) []candidate {
	sells, short := sh.sells(), sh.isVariantOf(all)
	tier := func(c candidate) int {
		switch {
		case !isPage(c.entity):
		case c.field.Name == graph.ShownNumber:
			return 0
		case c.field.Name == graph.AddressNumber && short:
			return 1
		case c.field.Name == graph.AddressNumber:
			return 3
		}
		return 2
	}
	all = slices.DeleteFunc(all, func(c candidate) bool {
		return tier(c)%2 == 1 && !sells || isPage(c.entity) && c.entity.Source > graph.State && !mayBeNumber(c.field.Values[0].Text)
	})
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(tier(a), tier(b)) })
	return all
}

// mayBeNumber reports whether a text that people see may be the number of a
// thing: short, and with a digit. A "Reference" is also a book or a chapter.
func mayBeNumber(s string) bool {
	return mention.IsLetterCode(s) || len(s) <= 60 && strings.ContainsAny(s, "0123456789") && strings.Count(s, " ") < 4
}

// maxSuffix is how much longer the number of a variant is, in bytes.
const maxSuffix = 5

// isVariantOf reports whether the number for machines begins with the one in
// the address of the page and goes on with that of a colour or size, which is
// not in the address.
func (sh *shaper) isVariantOf(all []candidate) bool {
	var own, ofAddress string
	for _, c := range all {
		text := strings.ToLower(c.field.Values[0].Text)
		switch {
		case isPage(c.entity) && c.field.Name == graph.AddressNumber:
			ofAddress = cmp.Or(ofAddress, text)
		case !isPage(c.entity):
			own = cmp.Or(own, text)
		}
	}
	rest, ok := strings.CutPrefix(own, ofAddress)
	return ok && len(ofAddress) >= leastNumber && rest != "" && len(rest) <= maxSuffix && !strings.Contains(strings.ToLower(sh.o.PageURL), own)
}

// leastNumber is the length of a number that is no beginning of another by
// chance.
const leastNumber = 5

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
