package visible

import (
	"strings"
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
	// untaxed says that a tax comes on top.
	untaxed bool
}

// numberText is a number as prices are written.
var numberText = lexicon.Pattern(`\d{1,3}(?:[ \x{A0}\x{202F}.,’']\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`)

// maxAmounts is how many amounts a line has at most, and maxAmountLine how long
// it is, in bytes.
const (
	maxAmounts    = 4
	maxAmountLine = 140
)

// amountsIn returns the amounts of a line that has nothing else in it than
// these and words that say what each is: "Was $20 Now $15", "UVP: 20 € 15 €",
// "Price: $15.00 ($1.50 / kg)"; nil for any other line.
func amountsIn(s string) []amount {
	if len(s) > maxAmountLine || !mayBeAmounts(s) {
		return nil
	}
	s = withoutTerms(s)
	places := numberText().FindAllStringIndex(s, maxAmounts+3)
	if len(places) == 0 || len(places) > maxAmounts+2 {
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
		a := amount{text: s[from:to], said: strings.ToLower(strings.Trim(s[end:from], " \u00A0:,;.(|–—-·/"))}
		behind := tailText().FindString(s[to:])
		if a.kind = kindSaid(a.said, behind); len(all) > 0 && all[len(all)-1].kind == anyAmount && isRange(s[end:from]) {
			a.kind = highAmount
		}
		a.untaxed = untaxedText().MatchString(behind)
		end = to + len(behind)
		if a.kind == unknownAmount {
			return nil
		}
		all = append(all, a)
	}
	if strings.Trim(s[end:], " \u00A0).*") != "" || len(all) > maxAmounts {
		return nil
	}
	return withTax(all)
}

// untaxedText is what stands behind an amount to which a tax is added.
var untaxedText = lexicon.Pattern(`(?i)\b(?:excl?|exkl|ex|zzgl|plus|ht)\b|\+`)

// withTax makes an amount without the tax none of a price beside one with it.
func withTax(all []amount) []amount {
	taxed := 0
	for _, a := range all {
		if a.kind == anyAmount && !a.untaxed {
			taxed++
		}
	}
	for k := range all {
		if taxed > 0 && all[k].kind == anyAmount && all[k].untaxed {
			all[k].kind = otherAmount
		}
	}
	return all
}

// withCurrency returns where the number with its currency begins and ends, or
// -1 where there is none beside it.
func withCurrency(s string, floor int, at []int, limit int) (from, to int) {
	before := strings.TrimRight(s[floor:at[0]], " \u00A0")
	word := mention.AfterLast(before, " \u00A0(:|")
	if word != "" && len(word) < 6 && isCurrency(strings.ToLower(word)) {
		return floor + len(before) - len(word), at[1]
	}
	if c, size := utf8.DecodeLastRuneInString(before); size > 0 && unicode.Is(unicode.Sc, c) {
		return floor + len(before) - size, at[1]
	}
	gap := s[at[1]:limit]
	after := strings.TrimLeft(gap, " \u00A0")
	end := strings.IndexAny(after, " \u00A0/(),;|")
	if end < 0 {
		end = len(after)
	}
	word = strings.TrimRight(after[:end], ".")
	if word != "" && len(word) < 8 && isCurrency(strings.ToLower(word)) {
		return at[0], at[1] + len(gap) - len(after) + len(word)
	}
	return -1, -1
}
