package shape

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
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
		return tier(c) == 2 && !sells || isPage(c.entity) && c.entity.Source > graph.State && !mention.MayBeCode(c.field.Values[0].Text)
	})
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(tier(a), tier(b)) })
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
	n := sh.fillScalar(propOf("price", p.sub), &view{View: anyView, typed: true, types: typeNumber | typeInteger, order: []types{typeNumber}}, s)
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

func (sh *shaper) isZero(n *node) bool { return n.kind == scalar && sh.number(textOf(n.value)) <= 0 }

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

// prices are the concepts whose values are amounts that a thing costs.
var prices = []string{"price", "lowPrice", "highPrice", "originalPrice"}

var number = lexicon.Pattern(`\d+(?:[.,]\d+)*`)

// isNoAmount reports whether a text looks like a plain amount and is none.
func isNoAmount(p *prop, text string) bool {
	switch {
	case len(text) > maxSaid:
	case p.is(prices...):
		return mention.IsNoPrice(text, p.measure.Minor)
	case p.is("reviewCount", "ratingCount", "review"):
		return mention.IsStars(text)
	}
	return false
}

// isRatingText reports whether a text is a rating and no words of a reviewer.
func isRatingText(v graph.Value) bool {
	return v.Kind == graph.Text && len(v.Text) < maxSaid && mention.IsStars(v.Text)
}

// isTyped reports whether a value is that of a field of a form that its reader
// may type over: an amount in one is the bound of a search, or a bid, and no
// price.
func isTyped(n *html.Node) bool {
	if n == nil || n.DataAtom != atom.Input {
		return false
	}
	_, fixed := tree.Attr(n, "readonly")
	return !fixed && slices.Contains([]string{"", "text", "number", "range", "search", "tel"}, strings.ToLower(tree.AttrOr(n, "type")))
}

// isPer reports whether a price is for as much, or for as long, as is asked for:
// by its name on the page, by its own words, or by what else stands in its line.
// One of which nothing is said is the price of the whole.
func (sh *shaper) isPer(p *prop, f found) bool {
	texts := []string{f.name, cutText(f.value.Text), cutText(f.value.Shown)}
	for _, e := range []*graph.Entity{f.value.Entity, f.entity} {
		if e != nil && e.Source < graph.Table {
			texts = append(texts, "price per "+strings.Join(textsOf(e, "unitText", "unitCode"), ", price per "))
		}
	}
	if f.entity.Source >= graph.Table {
		texts = append(texts, sh.behind(f.value))
	}
	for _, text := range texts {
		if per := names.Per(text); per != "" {
			return per == p.per
		}
	}
	return p.perhaps || sh.name(f.name).Key == p.key.Key
}

// behind returns a price with what stands behind it in its block, "" if that has
// more numbers.
func (sh *shaper) behind(v graph.Value) string {
	n := v.Element
	for n != nil && !page.IsBlock(n) {
		n = n.Parent
	}
	if n == nil || v.Text == "" {
		return ""
	}
	var b strings.Builder
	sh.m.Step(maxNear)
	for _, d := range near(n) {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	text := page.Collapse(b.String())
	at := strings.Index(text, v.Text)
	if at < 0 || len(number().FindAllString(text[at:], 2)) != 1 {
		return ""
	}
	return cutText(text[at:])
}

// salary writes a salary of which the least and the most are given, or for how
// long it is, in one line: "70000 - 90000 EUR per year". A thing would otherwise
// be no more than its first number.
func (sh *shaper) salary(p *prop, v *view, f found) *node {
	e := f.value.Entity
	if !p.is("baseSalary") || !v.typed || !v.may(typeString) || v.may(typeNumber) || !sh.isA(e, "MonetaryAmount", "MonetaryAmountDistribution") {
		return nil
	}
	amount := e
	if vs := e.Get("value"); len(vs) > 0 && vs[0].Entity != nil {
		amount = vs[0].Entity
	}
	line := textsOf(amount, "minValue", "maxValue")
	if len(line) == 0 {
		line = textsOf(amount, "value")
	}
	if len(line) == 0 {
		return nil
	}
	line = append([]string{strings.Join(line, " - ")}, textsOf(e, "currency")...)
	for _, unit := range textsOf(amount, "unitText") {
		line = append(line, "per "+strings.ToLower(unit))
	}
	f.value.Kind, f.value.Text = graph.Text, strings.Join(line, " ")
	return sh.scalar(p, v, f, maxInside)
}
