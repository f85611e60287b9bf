package mention

import (
	"math/big"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// amount is a number with its unit, in its place in a text.
type amount struct {
	from, to int
	number   *big.Rat
	unit     Unit
}

// simpleFraction is a fraction before a unit, which has an end as a decimal.
var simpleFraction = lexicon.Pattern(`(?:\b([0-9]+)[ \x{a0}-]?)?(½|¼|¾|⅛|⅜|⅝|⅞)|\b(?:([0-9]+)[ -])?([1357])/(2|4|8|16)\b`)

var fractionSigns = map[string]*big.Rat{"½": big.NewRat(1, 2), "¼": big.NewRat(1, 4), "¾": big.NewRat(3, 4), "⅛": big.NewRat(1, 8), "⅜": big.NewRat(3, 8), "⅝": big.NewRat(5, 8), "⅞": big.NewRat(7, 8)}

// plainFractions writes "5 3/8 in" as 5.375 in.
func plainFractions(text string) string {
	if !strings.ContainsAny(text, "/½¼¾⅛⅜⅝⅞") {
		return text
	}
	return simpleFraction().ReplaceAllStringFunc(text, func(s string) string {
		m := simpleFraction().FindStringSubmatch(s)
		part := fractionSigns[m[2]]
		if part == nil {
			part = rat(m[4] + "/" + m[5])
		}
		if whole := m[1] + m[3]; whole != "" && len(whole) < maxDigits {
			part = new(big.Rat).Add(part, rat(whole))
		}
		return trimNumber(part.FloatString(6))
	})
}

// amountsOf returns the numbers of a text that have units; loose is true where
// one has none although another does, and it is not the lower end of a range.
func amountsOf(text, lang string) (all []amount, loose bool) {
	spans := scanNumbers(text)
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		a, ok := amountAt(text, s, s.to, lang)
		if !ok && i+1 < len(spans) && isBetween[strings.Trim(Fold(text[s.to:spans[i+1].from]), " ")] {
			if a, ok = amountAt(text, s, spans[i+1].to, lang); ok {
				i++ // a range, of which this is the lower end
			}
		}
		switch {
		case ok:
			all = append(all, a)
		default:
			loose = true
		}
	}
	return all, loose
}

// amountAt reads a number whose unit stands at a place.
func amountAt(text string, s span, at int, lang string) (amount, bool) {
	digits, ok := plainDigits(text[s.from:s.to], lang, false)
	if !ok || len(digits) > maxDigits || gluedBefore(text[:s.from]) {
		return amount{}, false
	}
	if word := firstWord(text[at:]); scaleWords[Fold(word)] > 0 && Fold(word) != "mil" {
		if digits, ok = scale(digits, text[at:]); !ok {
			return amount{}, false
		}
		at += strings.Index(text[at:], word) + len(word)
	}
	unit, size := unitAt(text[at:])
	if !unit.Known() {
		return amount{}, false
	}
	number := rat(digits)
	if s.negative {
		number.Neg(number)
	}
	return amount{s.from, at + size, number, unit}, true
}

// unitWord is what a unit may look like behind its number: words, or the signs
// for inches and feet.
var unitWord = lexicon.Pattern(`^[\s\x{a0}\x{202f}-]?[\s\x{a0}\x{202f}]*(″|''|”|"|′|’|'|%|°\s?[CcFf]\b|degrees? (?:[Cc]elsius|[Ff]ahrenheit)\b|(?:US |imperial |Imperial )?\pL+(?:[.]?\s?\pL+)?/?[\pLµ]*[²³23]?)`)

var unitSigns = map[string]string{"″": "in", "''": "in", "”": "in", `"`: "in", "′": "ft", "’": "ft", "'": "ft"}

// unitAt returns the unit that a text begins with, and how long it is. It is
// the longest that is one.
func unitAt(text string) (Unit, int) {
	m := unitWord().FindStringSubmatchIndex(text)
	if m == nil {
		return Unit{}, 0
	}
	from, word := m[2], text[m[2]:m[3]]
	if name := unitSigns[word]; name != "" {
		return units()[name], m[3]
	}
	for _, end := range endsOf(word) {
		name := word[:end]
		if caseTells[name] || name == "in" && !endsAmount(text[from+end:]) {
			continue
		}
		if u := NamedUnit(name); u.Known() {
			return u, from + end
		}
	}
	return Unit{}, 0
}

// caseTells are letters that are a unit in lower case only: 5M are five million.
var caseTells = map[string]bool{"M": true, "K": true, "k": true, "T": true, "G": true, "S": true, "H": true}

// endsAmount reports whether an amount is over, so that "in" is an inch and not
// the first of more words.
func endsAmount(after string) bool {
	after = strings.TrimLeft(after, ". ")
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || !unicode.IsLetter(r) || r == 'x'
}

// endsOf returns where a unit that text begins with may end, the last first.
func endsOf(text string) []int {
	ends := []int{len(text)}
	for i := len(text) - 1; i > 0; i-- {
		if c := text[i]; c == ' ' || c == '/' || c == '.' || c == '2' || c == '3' {
			ends = append(ends, i)
		}
	}
	return ends
}

// one returns the amount that several are: one with parts ("5 ft 3 in"), or the
// same in several units.
func one(text string, all []amount, wanted Unit) (amount, bool) {
	whole := []amount{all[0]}
	for _, a := range all[1:] {
		last := &whole[len(whole)-1]
		between := strings.TrimSpace(text[last.to:a.from])
		switch {
		case isPart[between] && last.unit.hasPart(a.unit):
			last.add(a)
		case isAgain[strings.ToLower(between)] && a.unit != last.unit:
			whole = append(whole, a)
		default:
			return amount{}, false
		}
	}
	for _, a := range whole {
		if a.unit == wanted {
			return a, true
		}
	}
	for _, a := range whole {
		if a.unit.fits(wanted) {
			return a, true
		}
	}
	return whole[0], true
}

// hasPart reports whether an amount in the unit may go on in the other, as feet
// do in inches: 12 in, 30 cm are the same twice.
func (u Unit) hasPart(v Unit) bool {
	return u.fits(v) && v.factor.Cmp(u.factor) < 0 && imperial()[u.quantity][u.factor.RatString()] == imperial()[v.quantity][v.factor.RatString()]
}

// imperial are the factors of the units of a quantity that are not metric.
var imperial = sync.OnceValue(func() map[Quantity]map[string]bool {
	m := map[Quantity]map[string]bool{}
	for _, name := range []string{"in", "ft", "yd", "mi", "lb", "oz", "st"} {
		u := units()[name]
		if m[u.quantity] == nil {
			m[u.quantity] = map[string]bool{}
		}
		m[u.quantity][u.factor.RatString()] = true
	}
	return m
})

// add adds the smaller part of an amount.
func (a *amount) add(part amount) {
	more := new(big.Rat).Mul(part.number, part.unit.factor)
	more.Quo(more, a.unit.factor)
	a.number, a.to = new(big.Rat).Add(a.number, more), part.to
}

var (
	isPart  = setOf("", ",", "and", "und", "et", "y", ".")
	isAgain = setOf("(", "/", "|", "=", "or", "oder", "ou", ") /", "[", "~", "(~", "≈", "(≈", "(approx.", "(ca.", ".(", ";", "–", "—", ",")
)
