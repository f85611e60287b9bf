package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// maxPattern is the length of a text that is looked at for what it looks like,
// in bytes.
const maxPattern = 120

// patterns reads texts that need no label: amounts of money, dates, ratings,
// bylines, whether something can be bought.
func (r *reader) patterns() {
	for i, n := range r.all() {
		if n.named(atom.Time) {
			r.time(i)
		}
	}
	for i, s := range r.texts() {
		first := r.lines[i].first
		if r.nodes[first].is(inTable) || len(s) > maxPattern {
			continue
		}
		parts := mention.Parts(s)
		if !mention.IsMoney(parts[0]) {
			parts = []string{s}
		}
		for _, part := range parts {
			r.looksLike(part, first)
		}
		for _, part := range mention.Parts(s) {
			r.few(part, first)
		}
		r.byline(s, first)
		r.credit(s, first)
	}
	for i, n := range r.all() {
		switch {
		case n.is(isText):
			r.textIn(i)
		case len(n.el.Attr) > 0:
			r.spoken(i)
		}
	}
}

// textIn looks at a text that is not a whole line.
func (r *reader) textIn(i int) {
	n := &r.nodes[i]
	if l := r.lines[n.line]; n.is(inTable) || n.to-n.from > maxPattern || l.from == n.from && l.to == n.to {
		return
	}
	if amount := r.amountAt(i); amount != "" {
		r.looksLike(amount, i)
	}
	if mention.IsDigits(r.text[max(0, n.from-1):n.from]) && mention.IsMoney(r.text[n.from:n.to]) {
		return // the end of an amount: "39" before "€99"
	}
	r.looksLike(r.text[n.from:n.to], i)
	r.few(r.text[n.from:n.to], i)
	r.byline(r.text[n.from:n.to], i)
}

// maxOfAKind is how many values a part gets that only look like something.
const maxOfAKind = 20

// looksLike adds a text as what it looks like.
func (r *reader) looksLike(s string, i int) {
	name, digits := "", mention.HasDigit(s)
	if _, per := mention.UnitPrice(s); per != "" && r.nodes[i].part == 0 {
		r.addLike(i, graph.ShownPerUnit, s, "")
	}
	switch {
	case digits && r.amounts(s, i):
	case digits && mention.IsMoney(s) && !strings.Contains(strings.TrimSuffix(s, ":-"), ":"):
		name = r.priceName(i)
	case (digits || hasStars(s)) && r.ratings(s, i):
	case digits && mention.IsDate(s):
		name = dateName(s)
	default:
		if state := mention.Stock(s); state != "" && !r.isOffAt(i) && !r.nodes[i].is(isVeiled) {
			r.addLike(i, "availability", state, s)
		}
	}
	if name != "" {
		r.addLike(i, name, s, "")
	}
}

// addLike adds what the text of a node looks like, where a reader sees other words
// with these: of an item the first that looks so, and a price of the page that is
// one of another thing after all others.
func (r *reader) addLike(i int, name, text, shown string) {
	part, v := r.nodes[i].part, r.said(i, text, graph.Class)
	v.Shown = shown
	switch {
	case len(r.parts[part].entity.Get(name)) >= maxOfAKind, part != 0 && r.has(part, name):
	case name == "price" && part == 0 && r.isOtherPrice(i):
		r.put(part, name, v, true)
	default:
		r.add(part, name, v)
	}
}

func hasStars(s string) bool { return strings.Contains(s, "★") || strings.Contains(s, "⭐") }

// ratings adds what a text says of how something was rated, and reports whether
// it says so.
func (r *reader) ratings(s string, i int) bool {
	rating, count := mention.Rating(s)
	if hasStars(s) && r.around(i, 3, func(up *node) bool { said, _ := mention.Rating(attr(up.el, "aria-label")); return said != "" }) >= 0 {
		rating = "" // what it says to those who do not see the stars is more exact
	}
	v := r.said(i, rating, graph.Class)
	if rating != s {
		v.Shown = s
	}
	if len(r.parts[r.nodes[i].part].entity.Get("rating")) < maxOfAKind {
		r.add(r.nodes[i].part, "rating", v)
		v.Text = count
		r.add(r.nodes[i].part, "review count", v)
	}
	return rating+count != ""
}

// spoken looks at what an element says to those who do not see it: stars with
// a label.
func (r *reader) spoken(i int) {
	for _, key := range [...]string{"aria-label", "title"} {
		if s := attr(r.nodes[i].el, key); s != "" {
			r.ratings(oneLine(strings.TrimSpace(s)), i)
		}
	}
}

// time reads a time element, whose name is what the words around it say.
func (r *reader) time(i int) {
	n := &r.nodes[i]
	shown, value := r.textOf(i), strings.TrimSpace(attr(n.el, "datetime"))
	if value == "" {
		value, shown = shown, ""
	}
	if value == "" || len(value) > maxPattern {
		return
	}
	before := ""
	if n.from < n.to {
		before = r.text[max(r.lines[n.line].from, n.from-40):n.from]
	}
	r.add(n.part, dateName(before), graph.Value{Kind: graph.Time, Text: value, Shown: shown, Source: graph.Label, Element: n.el, Aside: n.is(isAside)})
}
