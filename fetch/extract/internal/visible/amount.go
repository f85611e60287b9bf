package visible

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

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

// perUnit is what of that stands behind the price of a part of what is sold, and
// untaxedText what stands behind one to which a tax is added.
var (
	perUnit     = lexicon.Pattern(`(?i)^\.?\s*(?:/|per|pro|par|por|je|al)\s*(?:\d{1,4}\s*)?(?:kg|kilo|g|mg|l|lt|ltr|litre|liter|litro|ml|cl|m|m²|m2|oz|fl\.? ?oz|lb|stück|stk|unit|unité|unidad|pezzo|piece|pc|roll|tablet|dose|wash|100)\b`)
	untaxedText = lexicon.Pattern(`(?i)\b(?:excl?|exkl|ex|zzgl|plus|ht)\b|\+`)
)
