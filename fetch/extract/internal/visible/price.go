package visible

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// amounts adds the price and the old price of a line of amounts with words around
// them.
func (r *reader) amounts(s string, i int) bool {
	all := amountsIn(s)
	if len(all) == 0 {
		return false
	}
	name := r.priceName(i)
	if name != "" && len(all) > 1 {
		name = "price"
	}
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
	} else if price < 0 && untaxed >= 0 && name != "" {
		r.put(0, "price", r.said(i, all[untaxed].text, graph.Class), true) // behind those with the tax
	}
	if high := first(highAmount); price >= 0 && high == price+1 {
		r.addRange(i, s, all[price].text, all[high].text)
	} else if price >= 0 && name != "" {
		r.addLike(i, name, all[price].text, "")
	}
	if old >= 0 {
		r.addLike(i, "old price", all[old].text, "")
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

// saysOld reports whether the words before an amount say that it is the old one, and
// could say nothing else.
func (r *reader) saysOld(i int) bool {
	said := r.saidBefore(i)
	return amountKinds()[said] == oldAmount && !isRegular(said)
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
// thing: it stands before the title, or on a button, a label or a choice, in a
// template that is not shown now, or is what one pays each month.
func (r *reader) isOtherPrice(i int) bool {
	n := &r.nodes[i]
	return i < r.titleNode || n.is(isVeiled) || perMonth().MatchString(cut(r.text[n.to:r.lines[n.line].to], maxMoney)) || r.around(i, 2*priceLevels, func(up *node) bool { return up.named(atom.Button, atom.Label, atom.Option) }) >= 0
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
	title := strings.ToLower(cut(r.text[r.nodes[t].from:r.nodes[t].to], 2*maxName))
	return len(page) > 3 && len(page) <= maxName && (title == page || !strings.HasPrefix(title, page) && hasPhrase(title, page))
}

func amountOf(words []string) amountKind {
	name := strings.Join(words, " ")
	switch {
	case name == "":
		return anyAmount
	case slices.Contains(words, "weight"):
		return anyAmount // of letters
	case anyIs("reduced name", words) && strings.HasSuffix(name, " price"):
		return anyAmount // what is left of the price
	case !is("layout word", words[0]) && slices.ContainsFunc(phrasesOf()["old price phrase"], func(p string) bool { return hasPhrase(name, p) }):
		return oldAmount
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

// amount is one of the amounts of money in a line, with the words before it,
// which say what it is, in lower case.
type amount struct {
	text, said string
	kind       amountKind
}

// amountKind is what the words around an amount, or the name of its element,
// make of it.
type amountKind uint8

const (
	anyAmount amountKind = iota
	oldAmount
	otherAmount
	// highAmount is the end of a range that the amount before it begins.
	highAmount
	// untaxedAmount is one that a tax comes on top of.
	untaxedAmount
)

// amountKinds are the kinds by what is said before an amount.
var amountKinds = sync.OnceValue(func() map[string]amountKind {
	m := map[string]amountKind{"": anyAmount}
	for list, kind := range map[string]amountKind{"price": anyAmount, "old price": oldAmount, "other amount": otherAmount} {
		for _, words := range phrasesOf()[list] {
			m[words] = kind
		}
	}
	return m
})

// numberText is a number as prices are written.
var numberText = lexicon.Pattern(`\d{1,3}(?:[ \x{A0}\x{202F}.,’']\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`)

// maxAmounts is how many amounts a line has at most, and maxAmountLine how long
// it is, in bytes.
const (
	maxAmounts    = 4
	maxAmountLine = 140
)

// aroundAmount is what stands around amounts and the words for them.
const aroundAmount = " \u00A0:,;.()|–—-·/\n"

// amountsIn returns the amounts of a line that has nothing else in it than
// these and words that say what each is: "Was $20 Now $15", "UVP: 20 € 15 €",
// "Price: $15.00 ($1.50 / kg)"; nil for any other line.
func amountsIn(s string) []amount {
	if len(s) > maxAmountLine || !hasDigit(s) || !namesCurrency(s) {
		return nil
	}
	if at := termsText().FindStringIndex(s); at != nil && at[0] > 0 {
		s = s[:at[0]]
	}
	places := numberText().FindAllStringIndex(s, maxAmounts+3)
	if len(places) > maxAmounts+2 {
		return nil
	}
	var all []amount
	end := 0
	for k, at := range places {
		if at[0] < end { // the number of a unit: "/ 100 ml"
			continue
		}
		limit := len(s)
		if k+1 < len(places) {
			limit = places[k+1][0]
		}
		from, to := withCurrency(s, end, at, limit)
		if from < 0 {
			return nil
		}
		behind := tailText().FindString(s[to:])
		said := strings.ToLower(strings.Trim(s[end:from], aroundAmount))
		kind, known := amountKinds()[said]
		switch {
		case len(all) > 0 && all[len(all)-1].kind == anyAmount && isRange(s[end:from]):
			kind = highAmount
		case !known:
			return nil
		case kind == anyAmount && perUnit().MatchString(behind):
			kind = otherAmount
		case kind == anyAmount && untaxedText().MatchString(behind):
			kind = untaxedAmount
		}
		all = append(all, amount{s[from:to], said, kind})
		end = to + len(behind)
	}
	if strings.Trim(s[end:], " \u00A0).*") != "" || len(all) > maxAmounts {
		return nil
	}
	return all
}

// namesCurrency reports whether a word of a text is a currency.
func namesCurrency(s string) bool {
	for word := range strings.FieldsFuncSeq(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.Is(unicode.Sc, c) }) {
		if len(word) < 8 && mention.IsCurrency(strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// withCurrency returns where the number with its currency begins and ends, or
// -1 where there is none beside it.
func withCurrency(s string, floor int, at []int, limit int) (from, to int) {
	before := strings.TrimRight(s[floor:at[0]], " \u00A0")
	word := mention.AfterLast(before, " \u00A0(:|")
	if word != "" && len(word) < 6 && mention.IsCurrency(strings.ToLower(word)) {
		return floor + len(before) - len(word), at[1]
	}
	if c, size := utf8.DecodeLastRuneInString(before); size > 0 && unicode.Is(unicode.Sc, c) {
		return floor + len(before) - size, at[1]
	}
	gap := s[at[1]:limit]
	after := strings.TrimLeft(gap, " \u00A0")
	word = after
	if end := strings.IndexAny(after, " \u00A0/(),;|"); end >= 0 {
		word = after[:end]
	}
	word = strings.TrimRight(word, ".")
	if word != "" && len(word) < 8 && mention.IsCurrency(strings.ToLower(word)) {
		return at[0], at[1] + len(gap) - len(after) + len(word)
	}
	return -1, -1
}

// isRange reports whether what stands between two amounts makes a range of them.
func isRange(between string) bool {
	switch strings.ToLower(strings.Trim(between, " \u00A0")) {
	case "-", "–", "—", "to", "up to", "until", "bis", "bis zu", "à", "jusqu'à", "hasta", "a", "al", "fino a", "até", "tot", "до":
		return true
	}
	return false
}

// termsText is what stands behind a price and says how it came about or can be
// paid: "(25% off)", "or 4 payments of $3.75".
var termsText = lexicon.Pattern(`(?i)[\s,(–—-]*(?:\b(?:save|you save|sie sparen|-)?\s?\d{1,2}\s?%\s*(?:off|discount|rabatt|günstiger|de réduction|de remise|de descuento|di sconto|korting|de desconto)?\)?|\b(?:or|oder|ou|o)\s+(?:from\s+|pay\s+)?\d{1,2}\s?(?:x\b|×|(?:interest[- ]free|monthly|equal|weekly)|payments?|instal?lments?|raten|mensualités|cuotas|rate|parcelas|termijnen).*)$`)

// tailText is what may stand behind an amount: per what it is, and what is in it.
var tailText = lexicon.Pattern(`(?i)^\.?(?:\s*(?:(?:/|per|pro|par|por|je|al|a)\s*(?:\d{1,4}\s*)?(?:kg|kilo|g|mg|l|lt|ltr|litre|liter|litro|ml|cl|m|m²|m2|oz|fl\.? ?oz|lb|stück|stk|unit|unité|unidad|pezzo|piece|pc|person|personne|persona|pessoa|pax|each|roll|tablet|dose|wash|100)\b\.?|/\s?(?:months?|mo|monat|mois|mes|mese|maand|mês|year|yr|jahr|año|anno|jaar)\b\.?|each|\(?(?:incl?\.?|inkl\.?|excl?\.?|ex\.?|exkl\.?|zzgl\.?|plus|\+)\s*(?:of\s+|\d+\s*%\s*)?(?:vat|tax|gst|mwst\.?|ust\.?|tva|iva|btw|moms|p&p|shipping|versand)\)?|\(?(?:ttc|ht)\)?|à vista|no pix|al contado|comptant)\)?)*`)

// perMonth is what stands behind what one pays each month.
var perMonth = lexicon.Pattern(`(?i)^\s*(?:/|per|pro|im|par|por|al|a|each|i)\s*(?:months?|mo|monat|mois|mes|mese|mês|maand|mnd|måned(?:en)?|mån(?:aden)?|měsíc(?:ně)?|miesiąc|мес|месяц|month)\b`)

// perUnit is what of that stands behind the price of a part of what is sold, and
// untaxedText what stands behind one to which a tax is added.
var (
	perUnit     = lexicon.Pattern(`(?i)^\.?\s*(?:/|per|pro|par|por|je|al)\s*(?:\d{1,4}\s*)?(?:kg|kilo|g|mg|l|lt|ltr|litre|liter|litro|ml|cl|m|m²|m2|oz|fl\.? ?oz|lb|stück|stk|unit|unité|unidad|pezzo|piece|pc|roll|tablet|dose|wash|100)\b`)
	untaxedText = lexicon.Pattern(`(?i)\b(?:excl?|exkl|ex|zzgl|plus|ht)\b|\+`)
)
