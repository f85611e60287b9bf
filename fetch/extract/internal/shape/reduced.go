package shape

import (
	"strconv"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// reduced returns the lower price that the page shows beside the one that was
// found, where the page says that this is the old one: what shops write for
// machines is at times the price before the sale.
func (sh *shaper) reduced(p *prop, v *view, s scope, n *node) *node {
	if !p.is("price") || s.depth != 0 || n.kind != scalar || n.from.entity == nil || isPage(n.from.entity) {
		return n
	}
	old, ok := mention.Number(textOf(n.value), sh.o.Language)
	before := sh.oldPrices(p)
	if !ok || !before[old] {
		return n
	}
	for _, c := range sh.search(p, scope{entities: sh.things.page}) {
		for i := range c.field.Values {
			f := found{c.entity, c.field.Name, c.field.Values[i]}
			now, ok := mention.Number(f.value.Text, sh.o.Language)
			if !ok || f.value.Aside || f.value.Of == graph.Related || !isReduction(old, now) || before[now] {
				continue
			}
			if lower := sh.scalar(p, v, f, 0); lower != nil {
				return lower
			}
		}
	}
	return n
}

// maxReduction is how many times more than its price of now a thing cost; what
// is lower still is the price of something else.
const maxReduction = 10

func isReduction(old, now string) bool {
	a, err := strconv.ParseFloat(old, 64)
	b, err2 := strconv.ParseFloat(now, 64)
	return err == nil && err2 == nil && b < a && b*maxReduction > a
}

// oldPrices are the prices that the page shows as ones that were.
func (sh *shaper) oldPrices(p *prop) map[string]bool {
	old := map[string]bool{}
	for _, c := range sh.search(propOf("originalPrice", p.sub), scope{entities: sh.things.page}) {
		for _, v := range c.field.Values {
			if n, ok := mention.Number(v.Text, sh.o.Language); ok && !v.Aside && v.Of != graph.Related {
				old[n] = true
			}
		}
	}
	return old
}
