package shape

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// derive finds what is said only as a part of something else: the currency of
// a price, that a thing with a price is sold, the host of the page's address, a sum
// of times.
func (sh *shaper) derive(p *prop, v *view, s scope) *node {
	if p.is("availability") {
		return sh.offered(p, v, s)
	}
	if n := sh.countShown(p, v, s); n != nil {
		return n
	}
	if n := sh.host(p, v, s); n != nil {
		return n
	}
	if n := sh.endOfRange(p, v, s); n != nil {
		return n
	}
	if n := sh.free(p, v, s); n != nil {
		return n
	}
	if n := sh.wholeTime(p, v, s); n != nil {
		return n
	}
	if !p.is("priceCurrency") {
		return nil
	}
	for _, source := range []string{"price", "baseSalary"} {
		other := &prop{name: source, key: names.Parse(source), concepts: []string{source}, vias: viasOf([]string{source}), sub: p.sub, scores: map[string]int{}}
		for _, c := range sh.search(other, s) {
			for i := range c.field.Values {
				f := found{c.entity, c.field.Name, c.field.Values[i]}
				if f.value.Kind == graph.Thing {
					continue
				}
				if n := sh.scalar(p, v, f, 0); n != nil {
					return n
				}
			}
		}
	}
	return nil
}
