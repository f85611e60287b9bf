package mention

import (
	"math/big"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
)

// Quantity is what a unit measures. Amounts of one can be converted into each
// other, those of two cannot.
type Quantity uint8

// The quantities. Those behind Other are units of their own, which are known by
// their name and not converted: a gallon, a pint and a fluid ounce are one
// thing in the United States and another in Britain, so is a ton, and a calorie
// has several definitions.
const (
	NoQuantity Quantity = iota
	Length
	Mass
	Volume
	Area
	Speed
	Data
	Temperature
	Power
	Time
	Months // of the calendar: they have no length in days
	Other
)

// Unit is what an amount is measured in.
type Unit struct {
	quantity Quantity
	own      int // which of Other it is
	factor   *big.Rat
	zero     *big.Rat // what is added, before the factor, where zero is elsewhere
}

// Known reports whether it is a unit, and not the zero value.
func (u Unit) Known() bool { return u.quantity != NoQuantity }

// Is reports whether the unit measures the quantity.
func (u Unit) Is(q Quantity) bool { return u.quantity == q }

// Seconds returns how many seconds a unit of time has, 0 for other units.
func (u Unit) Seconds() float64 {
	if u.quantity != Time {
		return 0
	}
	f, _ := u.factor.Float64()
	return f
}

// fits reports whether amounts of the one can be said in the other.
func (u Unit) fits(v Unit) bool { return u.quantity == v.quantity && u.own == v.own }

// quantities are the names that the list of units has for them.
var quantities = map[string]Quantity{
	"length": Length, "mass": Mass, "volume": Volume, "area": Area, "speed": Speed, "data": Data, "temperature": Temperature, "power": Power, "time": Time,
	"months": Months, "other": Other,
}

// units are those of the list, by keys (see [unitKey]).
var units = sync.OnceValue(func() map[string]Unit {
	m := map[string]Unit{}
	for i, e := range lexicon.Read(files, "units") {
		what := strings.Fields(e.Name)
		u := Unit{quantity: quantities[what[0]], factor: rat(what[1]), zero: new(big.Rat)}
		if len(what) > 2 {
			u.zero = rat(what[2])
		}
		if u.quantity == Other {
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
		panic("value: the factor " + text)
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
	return units()[unitKey(name)]
}

// maxUnit is the length in bytes of the longest name of a unit.
const maxUnit = 40

// unitKey writes the name of a unit as the list of them has it: in lower case, as one
// word, with plain digits.
func unitKey(name string) string {
	name = strings.ToLower(name)
	if isASCII(name) && !strings.ContainsAny(name, "^. \t\n") {
		return name
	}
	return unitSpelling.Replace(strings.TrimSpace(name))
}

var unitSpelling = strings.NewReplacer("²", "2", "³", "3", "^", "", ".", "", " ", "", "\u00a0", "", "\u202f", "", "μ", "µ", "é", "e", "è", "e", "ñ", "n")
