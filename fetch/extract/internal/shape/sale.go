package shape

import (
	"slices"
	"strconv"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// variantsOf returns the other entities that one reader found of the same
// thing: of the same kind and name, one for each colour or size.
func (sh *shaper) variantsOf(main *graph.Entity) []*graph.Entity {
	name := nameText(main)
	if name == "" || main.Source > graph.RDFa || !slices.Contains(familiesOf(main.Types), "Product") {
		return nil
	}
	var all []*graph.Entity
	for _, e := range sh.things.byFamily["Product"] {
		sh.m.Step(1)
		if e != main && e.Source == main.Source && nameText(e) == name {
			all = append(all, e)
		}
	}
	return all
}

// byScarcity adds what the variants of a thing say of whether it can be had,
// before what the thing itself says if one of them has it.
func (sh *shaper) byScarcity(p *prop, all []candidate, variants []*graph.Entity) []candidate {
	for _, e := range variants {
		for _, c := range sh.searchIn(p, e, 0) {
			if scarcity(c) == 0 {
				return slices.Insert(all, 0, c)
			}
		}
	}
	return all
}

// offeredName is what an explanation calls a thing that is said to be in stock
// because the page has a price for it.
const offeredName = "offered at this price"

// offered finds whether a thing can be had where nothing on the page speaks of
// it. Who names a price offers the thing, as schema.org has it: an Offer is one
// to sell. It holds only for the price of the page's own thing in its main
// part, and where the page is about nothing else.
func (sh *shaper) offered(p *prop, v *view, s scope) *node {
	if s.depth != 0 || s.outer != nil || sh.aboutOther() || len(sh.search(p, s)) > 0 {
		return nil
	}
	for _, c := range sh.search(priceOf(p), s) {
		f := found{c.entity, offeredName, c.field.Values[0]}
		if f.value.Kind == graph.Thing || f.value.Aside || !isPage(c.entity) && !c.entity.Is("Product", "Offer", "AggregateOffer") {
			continue
		}
		if n, ok := value.Number(f.value.Text, sh.o.Language); ok && isPositive(n) {
			f.value.Shown, f.value.Text = f.value.Text, "InStock"
			return sh.scalar(p, v, f, 0)
		}
	}
	return nil
}

// priceOf returns the price as a property beside another one.
func priceOf(p *prop) *prop {
	return &prop{name: "price", key: names.Parse("price"), concepts: []string{"price"}, vias: viasOf([]string{"price"}), sub: p.sub, scores: map[string]int{}}
}

// aboutOther reports whether a page is about a thing that is no product.
func (sh *shaper) aboutOther() bool {
	for i := range sh.things.all {
		t := &sh.things.all[i]
		if t.depth == 0 && t.primary && !slices.Contains(t.families, "Product") && t.entity.Source <= graph.Microformats {
			return len(sh.things.byFamily["Product"]) == 0
		}
	}
	return false
}

func isPositive(number string) bool {
	f, err := strconv.ParseFloat(number, 64)
	return err == nil && f > 0
}

// free are the kinds of things that are given away: the price of another one
// is not 0.
var free = []string{"SoftwareApplication", "Event", "Course", "Book"}

// isNoPrice reports whether a number is not the price of a product: shops write
// 0 where they have none.
func (sh *shaper) isNoPrice(p *prop, n *node) bool {
	if !p.is("price", "lowPrice", "highPrice") || len(sh.things.byFamily["Product"]) == 0 || n.kind != scalar {
		return false
	}
	text, ok := value.Number(textOfScalar(n), sh.o.Language)
	return ok && !isPositive(text) && !slices.ContainsFunc(free, func(f string) bool { return len(sh.things.byFamily[f]) > 0 })
}
