package visible

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// opensOld reports whether an amount opens with words for a price that was.
func opensOld(s string) bool {
	all := amountsIn(s)
	return len(all) == 1 && all[0].kind == oldAmount
}

// amounts adds the price and the old price of a line with several amounts, or
// with words around the one.
func (r *reader) amounts(s string, i int) bool {
	all := amountsIn(s)
	first := func(kinds ...amountKind) int {
		return slices.IndexFunc(all, func(a amount) bool { return slices.Contains(kinds, a.kind) })
	}
	price, old := first(anyAmount), first(oldAmount)
	if price >= 0 && slices.ContainsFunc(all[price+1:], func(a amount) bool { return a.kind == anyAmount }) {
		return true // which of the two is not said
	}
	if price < 0 && old >= 0 && isRegular(all[old].said) && !r.isBeforeSale(i) {
		price, old = old, -1
	}
	if untaxed := first(untaxedAmount); price < 0 && untaxed >= 0 && r.nodes[i].part != 0 {
		price = untaxed
	} else if price < 0 && untaxed >= 0 && r.priceName(i) != "" {
		r.put(0, "price", r.said(i, all[untaxed].text, graph.Class), true) // behind those with the tax
	}
	if high := first(highAmount); price >= 0 && high == price+1 {
		r.addRange(i, s, all[price].text, all[high].text)
	} else if price >= 0 && r.priceName(i) != "" {
		r.addAmount(i, "price", all[price].text)
	}
	if old >= 0 {
		r.addAmount(i, "old price", all[old].text)
	}
	return len(all) > 0
}

// addRange adds the ends of a range that is a line of its own and no item of a
// text.
func (r *reader) addRange(i int, s, low, high string) {
	n := &r.nodes[i]
	if l := r.lines[n.line]; r.text[l.from:l.to] != s || r.priceName(i) != "price" {
		return
	}
	for up, levels := i, 0; up >= 0 && levels < priceLevels && n.part == 0; up, levels = r.nodes[up].up, levels+1 {
		if r.nodes[up].named(atom.Li) {
			return
		}
	}
	r.addAmount(i, "low price", low)
	r.addAmount(i, "high price", high)
}

// isRegular reports whether words are those for a price that is the old one beside
// a lower one, and the price where there is none.
func isRegular(words string) bool { return is("regular price", words) }

// isBeforeSale reports whether behind an amount, in its line or in the next one,
// words stand for a price of now.
func (r *reader) isBeforeSale(i int) bool {
	n := &r.nodes[i]
	for _, from := range [...]int{n.to, r.lines[n.line].to} {
		words := strings.ToLower(cut(r.text[from:], maxMoney))
		words = strings.Trim(words[:max(0, strings.IndexFunc(words, isOfAmount))], aroundAmount)
		if kind, ok := amountKinds()[words]; ok && words != "" && kind == anyAmount {
			return true
		}
	}
	return false
}

// isOfAmount reports whether an amount begins with a character.
func isOfAmount(c rune) bool { return unicode.IsDigit(c) || unicode.Is(unicode.Sc, c) }

// saidBefore returns what stands before a text in its line, or, where it opens
// the line, in the one before it, in lower case.
func (r *reader) saidBefore(i int) string {
	from := r.nodes[i].from
	said := strings.TrimRight(r.text[max(0, from-maxAmountLine):from], " \n")
	return strings.ToLower(strings.Trim(mention.AfterLast(said, "\n0123456789€$£"), aroundAmount))
}

// priceLevels is how many levels above an amount are asked for what it is.
const priceLevels = 3

// priceName returns what an amount of money is: "price", "old price", or ""
// for one that the names around it call something else, such as the cost of
// sending.
func (r *reader) priceName(i int) string {
	n := &r.nodes[i]
	said := r.saidBefore(i)
	if n.is(isStruck) || amountKinds()[said] == oldAmount && (!isRegular(said) || r.isBeforeSale(i)) {
		return "old price"
	}
	if n.end < len(r.nodes) && r.nodes[n.end].named(atom.Ins) && r.nodes[n.end].line == n.line {
		return "old price" // what stands behind was put in its place
	}
	if n.is(isText) {
		i = n.up
	}
	for levels := 0; i >= 0 && levels < priceLevels && r.nodes[i].to-r.nodes[i].from <= maxMoney; i, levels = r.nodes[i].up, levels+1 {
		switch k := r.tokens.first(r.nodes[i].el, func(k *token) bool { return k.amount != anyAmount }); {
		case k == nil:
		case k.amount == oldAmount:
			return "old price"
		default:
			return ""
		}
	}
	return "price"
}

// isOtherPrice reports whether an amount is hardly the price of the page's own
// thing: it stands before the title, or on a button, a label or a choice.
func (r *reader) isOtherPrice(i int) bool {
	if i < r.titleNode {
		return true
	}
	for levels := 0; i >= 0 && levels < 2*priceLevels; i, levels = r.nodes[i].up, levels+1 {
		if r.nodes[i].named(atom.Button, atom.Label, atom.Option) {
			return true
		}
	}
	return false
}

func (r *reader) addAmount(i int, name, text string) {
	n := &r.nodes[i]
	if n.part != 0 && r.has(n.part, name) || len(r.parts[n.part].entity.Get(name)) >= maxOfAKind {
		return
	}
	r.addSeen(i, name, text)
}

// addSeen adds a value that a node's text was recognized by: a price that is one
// of another thing after all others.
func (r *reader) addSeen(i int, name, text string) {
	part := r.nodes[i].part
	r.put(part, name, r.said(i, text, graph.Class), name == "price" && part == 0 && r.isOtherPrice(i))
}

// nearTitle is how far from the title what looks like an item is a part of the
// page's own thing, in bytes.
const nearTitle = 200

// titlePrice gives a page without a price of its own that of an item which stands
// by its title and leads nowhere: the boxes of its thing are built alike.
func (r *reader) titlePrice() {
	if r.heading < 0 || r.has(0, "price") {
		return
	}
	title := &r.nodes[r.heading]
	for p := range r.parts {
		i := r.parts[p].node
		n := &r.nodes[i]
		if p == 0 || !n.is(isMember) || n.is(isAside|hasLink) || r.isForeign(i) || n.from > title.to+nearTitle || n.to < title.from-nearTitle {
			continue
		}
		for _, v := range r.parts[p].entity.Get("price") {
			v.Source = graph.Class
			r.add(0, "price", v)
			return
		}
	}
}

func amountOf(words []string) amountKind {
	if slices.Contains(words, "weight") {
		return anyAmount // of letters
	}
	for _, w := range words {
		switch {
		case is("old price name", w):
			return oldAmount
		case is("other amount name", w):
			return otherAmount
		}
	}
	return anyAmount
}
