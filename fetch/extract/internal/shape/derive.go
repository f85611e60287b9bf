package shape

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// derive finds what is said only as a part of something else: the currency of
// a price, that a thing with a price is sold, the host of the page's address, a sum
// of times.
func (sh *shaper) derive(p *prop, v *view, s scope) *node {
	if p.is("availability") {
		return sh.offered(p, v, s)
	}
	if n := sh.host(p, v, s); n != nil {
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
		for _, c := range sh.search(propOf(source, p.sub), s) {
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
