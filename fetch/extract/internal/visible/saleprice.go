package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
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
	price, old, high := -1, -1, -1
	for k := range all {
		switch all[k].kind {
		case anyAmount:
			if price >= 0 {
				return true // which of the two is not said
			}
			price = k
		case oldAmount:
			if old < 0 {
				old = k
			}
		case highAmount:
			if high < 0 {
				high = k
			}
		}
	}
	if price < 0 && old >= 0 && regularWords[all[old].said] && !r.isBeforeSale(i) {
		price, old = old, -1
	}
	if price >= 0 && high == price+1 {
		r.addRange(i, s, all[price].text, all[high].text)
	} else if price >= 0 && r.priceName(i) != "" {
		if all[price].untaxed && r.nodes[i].part == 0 {
			r.addUntaxed(i, all[price].text)
		} else {
			r.addAmount(i, "price", all[price].text)
		}
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

// regularWords are those for a price that is the old one beside a lower one, and
// the price where there is none.
var regularWords = setOfPhrases("regular|reg|list|regular price|normal price|list price|retail price|normalpreis|regulärer preis|prix habituel|prix normal|precio habitual|precio normal|prezzo regolare|normale prijs|preço normal")

func setOfPhrases(list string) map[string]bool {
	set := map[string]bool{}
	for words := range strings.SplitSeq(list, "|") {
		set[words] = true
	}
	return set
}

// isBeforeSale reports whether behind an amount, in its line or in the next two,
// words stand for the price of a sale.
func (r *reader) isBeforeSale(i int) bool {
	n := &r.nodes[i]
	at := n.line
	if saysSale(r.text[min(n.to, r.lines[at].to):r.lines[at].to]) {
		return true
	}
	for at++; at < len(r.lines) && at <= n.line+2 && r.areNear(i, r.lines[at].first); at++ {
		if l := &r.lines[at]; saysSale(r.text[l.from:l.to]) {
			return true
		}
	}
	return false
}

// saysSale reports whether a text begins with words for a price of now.
func saysSale(s string) bool {
	words := strings.ToLower(cut(s, maxMoney))
	if at := strings.IndexFunc(words, func(c rune) bool { return unicode.IsDigit(c) || unicode.Is(unicode.Sc, c) }); at >= 0 {
		words = words[:at]
	}
	words = strings.Trim(words, " \u00A0:,;.()|–—-·/")
	kind, ok := saidAmounts[words]
	return ok && words != "" && kind == anyAmount
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
	n := &r.nodes[i]
	v := r.textValue(text, graph.Class, r.elementOf(i))
	v.Aside = n.is(isAside)
	if name == "price" && n.part == 0 && r.isOtherPrice(i) {
		r.addLate(name, v)
		return
	}
	r.add(n.part, name, v)
}

// saidBefore returns what stands before a text in its line, or, where it opens
// the line, the short line before it, in lower case.
func (r *reader) saidBefore(i int) string {
	n := &r.nodes[i]
	l := &r.lines[n.line]
	said := r.text[l.from:max(l.from, n.from)]
	if strings.TrimSpace(said) == "" && n.line > 0 && r.areNear(r.lines[n.line-1].first, l.first) {
		before := &r.lines[n.line-1]
		said = r.text[before.from:before.to]
	}
	if len(said) > 2*maxAmountLine {
		return ""
	}
	if at := strings.LastIndexAny(said, "0123456789"); at >= 0 {
		_, size := utf8.DecodeRuneInString(said[at:])
		said = said[at+size:]
		if c, size := utf8.DecodeRuneInString(said); size > 0 && unicode.Is(unicode.Sc, c) {
			said = said[size:]
		}
	}
	return strings.ToLower(strings.Trim(said, " \u00A0:,;.()|–—-·/"))
}

// addUntaxed adds a price without the tax behind those with it.
func (r *reader) addUntaxed(i int, text string) {
	v := r.textValue(text, graph.Class, r.elementOf(i))
	v.Aside = r.nodes[i].is(isAside)
	r.addLate("price", v)
}
