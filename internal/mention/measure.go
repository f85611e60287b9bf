package mention

import (
	"math/big"
	"strings"

	"github.com/drover-go/drover/internal/schema"
)

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
	return u.Convert(found.number, found.unit)
}

// ConvertNumber returns a JSON number of one unit as one of another.
func (u Unit) ConvertNumber(number string, from Unit) (string, Fit) {
	r, ok := new(big.Rat).SetString(number)
	if !ok || len(number) > maxDigits || strings.ContainsAny(number, "eE/") {
		return "", Unfit
	}
	return u.Convert(r, from)
}

// maxDigits is how long a number is that is converted.
const maxDigits = 40

// Convert is [Unit.ConvertNumber] for a number that was read.
func (u Unit) Convert(number *big.Rat, from Unit) (string, Fit) {
	if !u.fits(from) {
		return "", Unfit
	}
	r := new(big.Rat).Set(number)
	if u != from {
		r.Add(r, from.zero)
		r.Mul(r, from.factor)
		r.Quo(r, u.factor)
		r.Sub(r, u.zero)
	}
	text := decimal(r)
	return text, map[bool]Fit{true: Converted, false: Unfit}[schema.NumberOK(text)]
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
	places := roundedDigits
	for limit := new(big.Rat).SetInt64(1); places > 0 && new(big.Rat).Abs(r).Cmp(limit) >= 0; places-- {
		limit.Mul(limit, big.NewRat(10, 1))
	}
	for limit := big.NewRat(1, 10); places < 20 && r.Sign() != 0 && new(big.Rat).Abs(r).Cmp(limit) < 0; places++ {
		limit.Mul(limit, big.NewRat(1, 10))
	}
	return trimNumber(r.FloatString(places))
}
