package shape

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/mention"
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
// before what the thing itself says if one of them has it. What people are told
// comes before both: shops write for machines that they have everything.
func (sh *shaper) byScarcity(p *prop, all []candidate, variants []*graph.Entity) []candidate {
	shown := slices.IndexFunc(all, func(c candidate) bool { return c.field.Name == graph.ShownStock && isPage(c.entity) })
	if shown >= 0 {
		return slices.Insert(slices.Clone(all), 0, all[shown])
	}
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
	n := sh.fillScalar(propOf("price", p.sub), &view{typed: true, types: typeNumber | typeInteger, order: []types{typeNumber}, most: -1}, s)
	if n == nil || sh.isZero(n) || n.from.value.Of != graph.Own || isPage(n.from.entity) && !sh.standsAlone(n.from.value.Element) {
		return nil
	}
	f := found{n.from.entity, offeredName, n.from.value}
	f.value.Kind, f.value.Shown, f.value.Text = graph.Text, f.value.Text, "InStock"
	return sh.scalar(p, v, f, 0)
}

// maxBesidePrice is how much text stands in the block of a price, in bytes. In
// more, the price is one that a text speaks of.
const maxBesidePrice = 100

// standsAlone reports whether the block that an element is in, or is, has
// little more text in it.
func (sh *shaper) standsAlone(n *html.Node) bool {
	for n != nil && !page.IsBlock(n) {
		n = n.Parent
	}
	if n == nil || n.DataAtom == atom.Meta {
		return true
	}
	size, nodes := 0, 0
	for d := range n.Descendants() {
		sh.m.Step(1)
		if d.Type == html.TextNode && !page.IsSilent(d.Parent) {
			size += len(strings.TrimSpace(d.Data))
		}
		if nodes++; max(nodes, size) > maxBesidePrice {
			return false
		}
	}
	return true
}

// aboutOther reports whether a page is about a thing that is no product.
func (sh *shaper) aboutOther() bool {
	for i := range sh.things.all {
		t := &sh.things.all[i]
		if t.depth == 0 && t.primary && !slices.Contains(t.families, "Product") && t.entity.Source <= graph.Microformats {
			return len(sh.things.byFamily["Product"]) == 0
		}
	}
	return slices.ContainsFunc(sh.things.page, func(e *graph.Entity) bool {
		kind := e.Get("og:type")
		return len(kind) > 0 && (kind[0].Text == "article" || kind[0].Text == "blog")
	})
}

func isPositive(number string) bool {
	f, err := strconv.ParseFloat(number, 64)
	return err == nil && f > 0
}

// free are the kinds of things that are given away: the price of another one
// is not 0.
var free = []string{"SoftwareApplication", "Event", "Course", "Book"}

// isShownZero reports whether a price is a 0 that only a class calls so, such
// as the sum of an empty basket. One with a label says that a thing is free.
func (sh *shaper) isShownZero(p *prop, n *node) bool {
	return p.is("price") && n.from.value.Source == graph.Class && sh.isZero(n)
}

// isNoPrice reports whether a number is not the price of a product: shops write
// 0 where they have none.
func (sh *shaper) isNoPrice(p *prop, n *node) bool {
	return p.is("price", "lowPrice", "highPrice") && len(sh.things.byFamily["Product"]) > 0 && sh.isZero(n) && !sh.hasFamily(free...)
}

func (sh *shaper) isZero(n *node) bool {
	if n.kind != scalar {
		return false
	}
	text, ok := mention.Number(textOf(n.value), sh.o.Language)
	return ok && !isPositive(text)
}

// isGone reports whether an offer says that its thing cannot be had: then no
// amount on the page is its price.
func isGone(offer *graph.Entity) bool {
	vs := offer.Get("availability")
	if len(vs) == 0 {
		return false
	}
	has, ok := mention.Bool(vs[0].Text)
	return ok && !has
}
