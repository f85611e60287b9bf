package mention

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// Amount is one of the amounts of money in a line.
type Amount struct {
	Text string
	Kind AmountKind
}

// AmountKind is what the words around an amount, or its name, make of it.
type AmountKind uint8

// The kinds of amounts.
const (
	AnyAmount AmountKind = iota
	OldAmount
	// RegularAmount is the old one beside a lower one, and the price where there is
	// none.
	RegularAmount
	OtherAmount
	// HighAmount is the end of a range that the amount before it begins.
	HighAmount
	// UntaxedAmount is one that a tax comes on top of.
	UntaxedAmount
)

var amountKinds = sync.OnceValue(func() map[string]AmountKind {
	m := map[string]AmountKind{"": AnyAmount}
	for list, kind := range map[string]AmountKind{"price": AnyAmount, "old price": OldAmount, "regular price": RegularAmount, "other amount": OtherAmount} {
		for _, words := range offers()[list] {
			m[words] = kind
		}
	}
	return m
})

// AmountWords returns what stands before an amount in lower case, without the signs
// around it.
func AmountWords(s string) string {
	return strings.ToLower(strings.Trim(s, " \u00A0:,;.()|–—-·/\n"))
}

// KindOfAmount returns what such words make of an amount.
func KindOfAmount(words string) (kind AmountKind, known bool) {
	kind, known = amountKinds()[words]
	return kind, known
}

// numberText is a number as prices are written.
var numberText = lexicon.Pattern(`\d{1,3}(?:[ \x{A0}\x{202F}.,’']\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`)

// maxAmounts is how many amounts a line has at most, and MaxAmountLine how long
// it is, in bytes.
const (
	maxAmounts    = 4
	MaxAmountLine = 140
)

// Amounts returns the amounts of a line that has nothing else in it than
// these and words that say what each is: "Was $20 Now $15", "UVP: 20 € 15 €",
// "Price: $15.00 ($1.50 / kg)"; nil for any other line.
func Amounts(s string) []Amount {
	if len(s) > MaxAmountLine || !HasDigit(s) || !NamesCurrency(s) {
		return nil
	}
	if at := termsText().FindStringIndex(s); at != nil && at[0] > 0 {
		s = s[:at[0]]
	}
	places := numberText().FindAllStringIndex(s, maxAmounts+3)
	if len(places) > maxAmounts+2 {
		return nil
	}
	var all []Amount
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
		kind, known := KindOfAmount(AmountWords(s[end:from]))
		switch {
		case len(all) > 0 && all[len(all)-1].Kind == AnyAmount && isRange(s[end:from]):
			kind = HighAmount
		case !known:
			return nil
		case kind == AnyAmount && perUnit().MatchString(behind):
			kind = OtherAmount
		case kind == AnyAmount && untaxedText().MatchString(behind):
			kind = UntaxedAmount
		}
		all = append(all, Amount{s[from:to], kind})
		end = to + len(behind)
	}
	if strings.Trim(s[end:], " \u00A0).*") != "" || len(all) > maxAmounts {
		return nil
	}
	return all
}

// NamesCurrency reports whether a word of a text is a currency.
func NamesCurrency(s string) bool {
	for word := range strings.FieldsFuncSeq(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.Is(unicode.Sc, c) }) {
		if len(word) < 8 && IsCurrency(strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// withCurrency returns where the number with its currency begins and ends, or
// -1 where there is none beside it.
func withCurrency(s string, floor int, at []int, limit int) (from, to int) {
	before := strings.TrimRight(s[floor:at[0]], " \u00A0")
	word := AfterLast(before, " \u00A0(:|")
	if word != "" && len(word) < 6 && IsCurrency(strings.ToLower(word)) {
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
	if word != "" && len(word) < 8 && IsCurrency(strings.ToLower(word)) {
		return at[0], at[1] + len(gap) - len(after) + len(word)
	}
	return -1, -1
}

// isRange reports whether what stands between two amounts makes a range of them.
func isRange(between string) bool {
	return slices.Contains(offers()["range"], strings.ToLower(strings.Trim(between, " \u00A0")))
}

// termsText is what stands behind a price and says how it came about or can be
// paid: "(25% off)", "or 4 payments of $3.75".
var termsText = lexicon.Pattern(`(?i)[\s,(–—-]*(?:\b(?:save|you save|sie sparen|-)?\s?\d{1,2}\s?%\s*(?:off|discount|rabatt|günstiger|de réduction|de remise|de descuento|di sconto|korting|de desconto)?\)?|\b(?:or|oder|ou|o)\s+(?:from\s+|pay\s+)?\d{1,2}\s?(?:x\b|×|(?:interest[- ]free|monthly|equal|weekly)|payments?|instal?lments?|raten|mensualités|cuotas|rate|parcelas|termijnen).*)$`)

// partUnits are units of a part of what is sold.
const partUnits = `kg|kilo|g|mg|l|lt|ltr|litre|liter|litro|ml|cl|m|m²|m2|oz|fl\.? ?oz|lb|stück|stk|unit|unité|unidad|pezzo|piece|pc|roll|tablet|dose|wash|100`

// tailText is what may stand behind an amount: per what it is, and what is in it.
var tailText = lexicon.Pattern(`(?i)^\.?(?:\s*(?:(?:/|per|pro|par|por|je|al|a)\s*(?:\d{1,4}\s*)?(?:` + partUnits + `|person|personne|persona|pessoa|pax|each)\b\.?|/\s?(?:months?|mo|monat|mois|mes|mese|maand|mês|year|yr|jahr|año|anno|jaar)\b\.?|each|\(?(?:incl?\.?|inkl\.?|excl?\.?|ex\.?|exkl\.?|zzgl\.?|plus|\+)\s*(?:of\s+|\d+\s*%\s*)?(?:vat|tax|gst|mwst\.?|ust\.?|tva|iva|btw|moms|p&p|shipping|versand)\)?|\(?(?:ttc|ht)\)?|à vista|no pix|al contado|comptant)\)?)*`)

// perUnit is what of that stands behind the price of a part of what is sold, and
// untaxedText what stands behind one to which a tax is added.
var (
	perUnit     = lexicon.Pattern(`(?i)^\.?\s*(?:/|per|pro|par|por|je|al)\s*(?:\d{1,4}\s*)?(?:` + partUnits + `)\b`)
	untaxedText = lexicon.Pattern(`(?i)\b(?:excl?|exkl|ex|zzgl|plus|ht)\b|\+`)
)

// perMonth is what stands behind what one pays each month.
var perMonth = lexicon.Pattern(`(?i)^\s*(?:/|per|pro|im|par|por|al|a|each|i)\s*(?:months?|mo|monat|mois|mes|mese|mês|maand|mnd|måned(?:en)?|mån(?:aden)?|měsíc(?:ně)?|miesiąc|мес|месяц|month)\b`)

// SaysMonthly reports whether what stands behind an amount says that one pays it each
// month.
func SaysMonthly(behind string) bool { return perMonth().MatchString(behind) }

var (
	// noAmount is what has a number in it and is no price: a bound of a filter,
	// a share, a price that is to be asked for.
	noAmount = lexicon.Pattern(`(?i)^\W*(?:under|over|below|above|less than|more than|up to|unter|über|bis zu|moins de|plus de|menos de|más de|meno di|più di|fino a|tot)\s|\bon request\b|\bauf anfrage\b|\bsur demande\b|\bbajo demanda\b|\bsu richiesta\b|\bop aanvraag\b|\bsob consulta\b`)
	// noPrice is a share, or a price of less than one.
	noPrice = lexicon.Pattern(`(?i)\d\s*%|^\s*\d{1,2}\s*(?:cents?|cts?\.?|¢|pence|p|centimes|céntimos|centesimi)\s*$`)
	// perhapsMoney is a number with the sign or the code of a currency.
	perhapsMoney = lexicon.Pattern(`[$€£¥]\s?\d|\d\s?(?:[$€£¥]|[A-Z]{3}\b)`)
)

// IsNoPrice reports whether a text with a number looks like a price and is none.
// One in the smaller unit of a currency, "50 p", is none unless that is asked for.
func IsNoPrice(s string, minor bool) bool {
	return noAmount().MatchString(s) || noPrice().MatchString(s) && !perhapsMoney().MatchString(s) && !minor
}
