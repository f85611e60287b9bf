package visible

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
)

// amounts adds the price and the old price of a line of amounts with words around
// them.
func (r *reader) amounts(s string, i int) bool {
	all := mention.Amounts(s)
	if len(all) == 0 {
		return false
	}
	name := r.priceName(i)
	if name != "" && len(all) > 1 {
		name = "price"
	}
	first := func(kinds ...mention.AmountKind) int {
		return slices.IndexFunc(all, func(a mention.Amount) bool { return slices.Contains(kinds, a.Kind) })
	}
	price, old := first(mention.AnyAmount), first(mention.OldAmount, mention.RegularAmount)
	if price >= 0 && slices.ContainsFunc(all[price+1:], func(a mention.Amount) bool { return a.Kind == mention.AnyAmount }) {
		return true // which of the two is not said
	}
	if price < 0 && old >= 0 && all[old].Kind == mention.RegularAmount && !r.isBeforeSale(i) {
		price, old = old, -1
	}
	if untaxed := first(mention.UntaxedAmount); price < 0 && untaxed >= 0 && r.nodes[i].part != 0 {
		price = untaxed
	} else if price < 0 && untaxed >= 0 && name != "" {
		r.put(0, "price", r.said(i, all[untaxed].Text, graph.Class), true) // behind those with the tax
	}
	if high := first(mention.HighAmount); price >= 0 && high == price+1 {
		r.addRange(i, s, all[price].Text, all[high].Text)
	} else if price >= 0 && name != "" {
		r.addLike(i, name, all[price].Text, "")
	}
	if old >= 0 {
		r.addLike(i, "old price", all[old].Text, "")
	}
	return true
}

// addRange adds the ends of a range that is a line of its own and no item of a
// text.
func (r *reader) addRange(i int, s, low, high string) {
	n := &r.nodes[i]
	inList := n.part == 0 && r.around(i, priceLevels, func(up *node) bool { return up.named(atom.Li) }) >= 0
	if l := r.lines[n.line]; r.text[l.from:l.to] == s && r.priceName(i) == "price" && !inList {
		r.addLike(i, "low price", low, "")
		r.addLike(i, "high price", high, "")
	}
}

// isBeforeSale reports whether behind an amount, in its line or in the next one,
// words stand for a price of now.
func (r *reader) isBeforeSale(i int) bool {
	n := &r.nodes[i]
	for _, from := range [...]int{n.to, r.lines[n.line].to} {
		words := strings.ToLower(shorten.Prefix(r.text[from:], maxMoney))
		words = mention.AmountWords(words[:max(0, strings.IndexFunc(words, isOfAmount))])
		if kind, ok := mention.KindOfAmount(words); ok && words != "" && kind == mention.AnyAmount {
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
	said := strings.TrimRight(r.text[max(0, from-mention.MaxAmountLine):from], " \n")
	return mention.AmountWords(mention.AfterLast(said, "\n0123456789€$£"))
}

// saysOld reports whether the words before an amount say that it is the old one, and
// could say nothing else.
func (r *reader) saysOld(i int) bool {
	kind, _ := mention.KindOfAmount(r.saidBefore(i))
	return kind == mention.OldAmount
}

// priceLevels is how many levels above an amount are asked for what it is.
const priceLevels = 3

// priceName returns what an amount of money is: "price", "old price", or ""
// for one that the names around it call something else, such as the cost of
// sending.
func (r *reader) priceName(i int) string {
	n := &r.nodes[i]
	if kind, _ := mention.KindOfAmount(r.saidBefore(i)); n.is(isStruck) || kind == mention.OldAmount || kind == mention.RegularAmount && r.isBeforeSale(i) {
		return "old price"
	}
	if n.end < len(r.nodes) && r.nodes[n.end].named(atom.Ins) && r.nodes[n.end].line == n.line {
		return "old price" // what stands behind was put in its place
	}
	if n.is(isText) {
		i = n.up
	}
	for levels := 0; i >= 0 && levels < priceLevels && r.nodes[i].to-r.nodes[i].from <= maxMoney; i, levels = r.nodes[i].up, levels+1 {
		switch k := r.tokens.first(r.nodes[i].el, func(k *token) bool { return k.amount != mention.AnyAmount }); {
		case k == nil:
		case k.amount == mention.OldAmount:
			return "old price"
		default:
			return ""
		}
	}
	return "price"
}

// isOtherPrice reports whether an amount is hardly the price of the page's own
// thing: it stands before the title, or on a button, a label or a choice, in a
// template that is not shown now, or is what one pays each month.
func (r *reader) isOtherPrice(i int) bool {
	n := &r.nodes[i]
	return i < r.titleNode || n.is(isVeiled) || mention.SaysMonthly(shorten.Prefix(r.text[n.to:r.lines[n.line].to], maxMoney)) || r.around(i, 2*priceLevels, func(up *node) bool { return up.named(atom.Button, atom.Label, atom.Option) }) >= 0
}

// nearTitle is how far from the title what looks like an item is a part of the
// page's own thing, in bytes.
const nearTitle = 200

// titlePrice gives a page without a price of its own that of an item which stands
// by its title and leads nowhere, or has its name: the boxes of its thing are built
// alike.
func (r *reader) titlePrice() {
	if r.heading < 0 || r.has(0, "price") {
		return
	}
	title := &r.nodes[r.heading]
	for p := range r.parts {
		i := r.parts[p].node
		n := &r.nodes[i]
		if p == 0 || !n.is(isMember) || n.is(isAside) || r.isForeign(i) {
			continue
		}
		if far := n.from > title.to+nearTitle || n.to < title.from-nearTitle; (far || n.is(hasLink)) && !r.isNamedAsPage(p) {
			continue
		}
		for _, v := range r.parts[p].entity.Get("price") {
			v.Source = graph.Class
			r.add(0, "price", v)
			return
		}
	}
}

// isNamedAsPage reports whether the title of an item is that of the page, or has it
// behind other words, and leads nowhere: "Buy Harbour 2", among its editions.
func (r *reader) isNamedAsPage(p int) bool {
	t := r.parts[p].title
	if t < 0 || r.nodes[t].is(hasLink) || r.around(t, priceLevels, func(up *node) bool { return up.named(atom.A) }) >= 0 {
		return false
	}
	page := strings.ToLower(r.text[r.nodes[r.heading].from:r.nodes[r.heading].to])
	title := strings.ToLower(shorten.Prefix(r.text[r.nodes[t].from:r.nodes[t].to], 2*maxName))
	return len(page) > 3 && len(page) <= maxName && (title == page || !strings.HasPrefix(title, page) && mention.HasPhrase(title, page))
}

func amountOf(words []string) mention.AmountKind {
	kind := mention.AnyAmount
	for _, w := range words {
		lists := listsOf(w)
		switch {
		case w == "weight", w == "and" && slices.Contains(words, "price"): // of letters; of both
			return mention.AnyAmount
		case kind != mention.AnyAmount:
		case slices.Contains(lists, "old price name"):
			kind = mention.OldAmount
		case slices.Contains(lists, "other amount name"):
			kind = mention.OtherAmount
		}
	}
	if !slices.ContainsFunc(words, func(w string) bool { return opensOldPrice()[w] || is("reduced name", w) }) {
		return kind // most names
	}
	name := strings.Join(words, " ")
	switch {
	case anyIs("reduced name", words) && strings.HasSuffix(name, " price"):
		return mention.AnyAmount // what is left of the price
	case !is("layout word", words[0]) && slices.ContainsFunc(phrasesOf()["old price phrase"], func(p string) bool { return mention.HasPhrase(name, p) }):
		return mention.OldAmount
	}
	return kind
}

// opensOldPrice are the first words of the phrases for a price that was.
var opensOldPrice = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, p := range phrasesOf()["old price phrase"] {
		first, _, _ := strings.Cut(p, " ")
		all[first] = true
	}
	return all
})
