package mention

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/schema"
)

// Unit is what an amount is measured in.
type Unit struct {
	// Quantity is the name of what it measures, as lexicon/units.txt has it.
	Quantity string

	own    int // which of those it is that are not converted
	factor *big.Rat
	zero   *big.Rat // what is added, before the factor, where zero is elsewhere
}

// Some of the quantities of lexicon/units.txt. Amounts of one can be converted
// into each other, those of two cannot. A month of the calendar has no length in
// days. The units of other are known by their name and not converted: a gallon, a
// pint and a fluid ounce are one thing in the United States and another in
// Britain, so is a ton, and a calorie has several definitions.
const (
	Time   = "time"
	months = "months"
	other  = "other"
)

// Known reports whether it is a unit, and not the zero value.
func (u Unit) Known() bool { return u.Quantity != "" }

// Is reports whether the unit measures the quantity.
func (u Unit) Is(quantity string) bool { return u.Quantity == quantity }

// Seconds returns how many seconds a unit of time has, 0 for other units.
func (u Unit) Seconds() (f float64) {
	if u.Quantity == Time {
		f, _ = u.factor.Float64()
	}
	return f
}

// fits reports whether amounts of the one can be said in the other.
func (u Unit) fits(v Unit) bool { return u.Quantity == v.Quantity && u.own == v.own }

// units are those of the list, by names (see [unitSpelling]).
var units = sync.OnceValue(func() map[string]Unit {
	m := map[string]Unit{}
	for i, e := range lexicon.Read(files, "units") {
		what := append(strings.Fields(e.Name), "0")
		u := Unit{Quantity: what[0], factor: rat(what[1]), zero: rat(what[2])}
		if u.Quantity == other {
			u.own = i
		}
		for _, name := range e.Words {
			m[name] = u
		}
	}
	return m
})

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("mention: the number " + text)
	}
	return r
}

// NamedUnit returns the unit of a name: of its symbol, the English word, the
// word in another language, or one of the common codes of UN/CEFACT that
// schema.org asks for; "min" and "mon" are more often a bound and a day.
func NamedUnit(name string) Unit {
	if len(name) > maxUnit {
		return Unit{}
	}
	if name = strings.TrimSpace(strings.ToLower(name)); strings.ContainsAny(name, "^. ") || !isASCII(name) {
		name = unitSpelling.Replace(name)
	}
	return units()[name]
}

// maxUnit is the length in bytes of the longest name of a unit.
const maxUnit = 40

// unitSpelling writes the name of a unit, in lower case, as the list of them has it: as one
// word, with plain digits.
var unitSpelling = strings.NewReplacer("²", "2", "³", "3", "^", "", ".", "", " ", "", "\u00a0", "", "\u202f", "", "μ", "µ", "é", "e", "è", "e", "ñ", "n")

// Fit says what became of a text that was to be read in a unit.
type Fit uint8

// The fits.
const (
	// Bare is a text that says no unit: its number may be in any.
	Bare Fit = iota
	// Unfit is a text that says a unit which cannot be converted, or several
	// amounts.
	Unfit
	// Converted is a text whose amount was brought into the unit.
	Converted
)

// In reads an amount and returns it as a JSON number of the unit: "120 mm" in
// centimetres is 12, "5 ft 3 in" is 160.02. Of a range it is the lower end, and
// of one amount that is said twice ("120 mm (4.7 in)") the one in the unit, else
// the first. What has no end as a decimal has six digits that count.
func (u Unit) In(text, lang string) (string, Fit) {
	if text = strings.TrimSpace(text); len(text) > maxText {
		return "", Unfit
	}
	text = plainFractions(withoutNotes(text))
	all, loose := amountsOf(text, lang)
	if len(all) == 0 {
		return "", Bare
	}
	found, ok := one(text, all, u)
	if !ok || loose || countWords(text) > maxWords+2*len(all) {
		return "", Unfit
	}
	return u.convert(found.number, found.unit)
}

// ConvertNumber returns a JSON number of one unit as one of another.
func (u Unit) ConvertNumber(number string, from Unit) (string, Fit) {
	r, ok := plainRat(number)
	if !ok {
		return "", Unfit
	}
	return u.convert(r, from)
}

// maxDigits is how long a number is that is converted.
const maxDigits = 40

func (u Unit) convert(number *big.Rat, from Unit) (string, Fit) {
	if !u.fits(from) {
		return "", Unfit
	}
	r := new(big.Rat).Set(number)
	if u != from {
		r.Mul(r.Add(r, from.zero), from.factor)
		r.Sub(r.Quo(r, u.factor), u.zero)
	}
	if text := decimal(r); schema.NumberOK(text) {
		return text, Converted
	}
	return "", Unfit
}

// How exact a converted number is written: whole, if it has no more decimals
// than the first, else with the digits of the second.
const (
	exactDecimals = 10
	roundedDigits = 6
)

func decimal(r *big.Rat) string {
	if digits, exact := r.FloatPrec(); exact && digits <= exactDecimals {
		return r.FloatString(digits)
	}
	f, _ := r.Float64()
	if math.Abs(f) >= 1e6 {
		return r.FloatString(0)
	}
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', roundedDigits, 64), 64)
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// UnitText returns the unit of the only amount of a text, as it is written
// there: the "kg" of "1.2 kg".
func UnitText(text string) (string, bool) {
	text = strings.TrimSpace(text)
	found := scanNumbers(text[:min(len(text), maxText)])
	if len(text) > maxText || !isOne(text, found) || isGlued(text[:found[0].from]) {
		return "", false
	}
	rest := text[found[len(found)-1].to:]
	unit, size := unitAt(rest)
	return strings.Trim(rest[:size], " -\u00a0\u202f"), unit.Known()
}

// amount is a number with its unit, in its place in a text.
type amount struct {
	from, to int
	number   *big.Rat
	unit     Unit
}

// signedFractions writes the signs of fractions in digits.
var signedFractions = strings.NewReplacer("½", " 1/2", "¼", " 1/4", "¾", " 3/4", "⅓", " 1/3", "⅔", " 2/3", "⅛", " 1/8", "⅜", " 3/8", "⅝", " 5/8", "⅞", " 7/8", "⁄", "/")

var fraction = lexicon.Pattern(`(?:\b([0-9]{1,3})[ \x{a0}-]+)?\b([1-7]/(?:[2348]|16))\b`)

// plainFractions writes "5 3/8 in" as 5.375 in. A part of a longer number is none, as in
// 1/2/2024.
func plainFractions(text string) string {
	if len(text) > maxText || !strings.ContainsAny(text, "/½¼¾⅓⅔⅛⅜⅝⅞⁄") {
		return text
	}
	text = signedFractions.Replace(text)
	all := fraction().FindAllStringSubmatchIndex(text, -1)
	var b strings.Builder
	done := 0
	for _, at := range all {
		if strings.ContainsAny(text[max(0, at[0]-1):at[0]], "/.,") || goesOnNumber().MatchString(text[at[1]:]) {
			continue
		}
		sum := rat(text[at[4]:at[5]])
		if at[2] >= 0 {
			sum.Add(sum, rat(text[at[2]:at[3]]))
		}
		b.WriteString(text[done:at[0]])
		b.WriteString(trimNumber(sum.FloatString(9)))
		done = at[1]
	}
	return b.String() + text[done:]
}

// goesOnNumber is behind what is no whole number or date.
var goesOnNumber = lexicon.Pattern(`^(?:/|[.,]\d)`)

// amountsOf returns the numbers of a text that have units; loose is true where
// one has none although another does, and it is not the lower end of a range.
func amountsOf(text, lang string) (all []amount, loose bool) {
	spans := scanNumbers(text)
	for i := 0; i < len(spans); i++ {
		if len(all) > 0 && spans[i].from < all[len(all)-1].to {
			continue // the 2 of "m2"
		}
		a, ok := amountAt(text, spans[i], spans[i].to, lang)
		if !ok && len(all) > 0 {
			a, ok = smaller(text, all[len(all)-1], spans[i])
		}
		if rest := spans[i:]; !ok && len(rest) > 1 && isOne(text, rest[:2]) {
			if a, ok = amountAt(text, rest[0], rest[1].to, lang); ok {
				i++ // a range, of which this is the lower end
			}
		}
		if ok {
			all = append(all, a)
		}
		loose = loose || !ok
	}
	return all, loose
}

// parts are the units whose number stands without one behind that of another.
var parts = map[string]string{"ft": "in", "lb": "oz", "m": "cm", "kg": "g"}

// smaller reads the number that ends a text behind an amount as one of its parts: the 11 of
// "5'11", the 80 of "1 m 80". Of metric ones it has all digits.
func smaller(text string, last amount, s span) (amount, bool) {
	digits := text[s.from:s.to]
	if len(digits) > 3 || s.to != len(text) || strings.TrimSpace(text[last.to:s.from]) != "" {
		return amount{}, false
	}
	for whole, part := range parts {
		if whole, part := NamedUnit(whole), NamedUnit(part); last.unit == whole {
			n, size := rat(digits), new(big.Rat).Quo(whole.factor, part.factor)
			isMetric := strings.Trim(size.RatString(), "1/0") == ""
			return amount{s.from, s.to, n, part}, n.Cmp(size) < 0 && (!isMetric || len(digits) == len(size.RatString())-1)
		}
	}
	return amount{}, false
}

// amountAt reads a number whose unit stands at a place.
func amountAt(text string, s span, at int, lang string) (amount, bool) {
	digits, ok := plainDigits(text[s.from:s.to], lang, false)
	if word := firstWord(text[at:]); ok && zeros(word, false) > 0 && Fold(word) != "mil" {
		digits, ok = scale(digits, text[at:], false)
		at += strings.Index(text[at:], word) + len(word)
	}
	unit, size := unitAt(text[at:])
	if !ok || len(digits) > maxDigits || isGlued(text[:s.from]) || !unit.Known() {
		return amount{}, false
	}
	return amount{s.from, at + size, rat(s.sign(text) + digits), unit}, true
}

// unitWord is what a unit may look like behind its number: words, or the signs
// for inches and feet.
var unitWord = lexicon.Pattern(`^[\s\x{a0}\x{202f}-]?[\s\x{a0}\x{202f}]*(″|''|”|"|′|’|'|%|°\s?[CcFf]\b|degrees? (?:[Cc]elsius|[Ff]ahrenheit)\b|(?:US |imperial |Imperial )?\pL+(?:[.]?\s?\pL+)?/?[\pLµ]*[²³23]?)`)

// unitAt returns the unit that a text begins with, and how long it is. It is
// the longest that is one.
func unitAt(text string) (Unit, int) {
	m := unitWord().FindStringSubmatchIndex(text)
	if m == nil {
		return Unit{}, 0
	}
	from, word := m[2], text[m[2]:m[3]]
	for end := len(word); end > 0; end = strings.LastIndexAny(word[:end], " /.23") {
		name := word[:end]
		if is("lowerOnly", name) || name == "in" && matches(goesOnIn, text[from+end:]) {
			continue
		}
		if u := NamedUnit(name); u.Known() {
			return u, from + end
		}
	}
	return Unit{}, 0
}

// goesOnIn is behind an "in" that is no inch but the first of more words.
var goesOnIn = lexicon.Pattern(`^[. ]*[^\PLx]`)

// one returns the amount that several are: one with parts ("5 ft 3 in"), or the
// same in several units.
func one(text string, all []amount, wanted Unit) (amount, bool) {
	whole := []amount{all[0]}
	for _, a := range all[1:] {
		last := &whole[len(whole)-1]
		between := strings.ToLower(strings.ReplaceAll(text[last.to:a.from], " ", ""))
		switch {
		case (between == "" || is("part", between)) && last.unit.hasPart(a.unit):
			more := new(big.Rat).Mul(a.number, a.unit.factor)
			last.number, last.to = more.Add(last.number, more.Quo(more, last.unit.factor)), a.to
		case is("again", between) && a.unit != last.unit:
			whole = append(whole, a)
		default:
			return amount{}, false
		}
	}
	best := whole[0]
	for _, a := range whole {
		if a.unit == wanted || a.unit.fits(wanted) && !best.unit.fits(wanted) {
			best = a
		}
	}
	return best, true
}

// hasPart reports whether an amount in the unit may go on in the other, as feet
// do in inches: 12 in, 30 cm are the same twice. Factors of metric units are
// powers of ten.
func (u Unit) hasPart(v Unit) bool {
	isMetric := func(u Unit) bool { return strings.Trim(u.factor.RatString(), "1/0") == "" }
	return u.fits(v) && v.factor.Cmp(u.factor) < 0 && (u.Quantity == Time || u.Quantity == months || isMetric(u) == isMetric(v))
}
