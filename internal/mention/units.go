package mention

import (
	"math/big"
	"strings"
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

// unitLists are the units with how many of the first of their quantity they
// have, and what they are called, by keys (see [unitKey]).
//
// Metric prefixes: SI Brochure, 9th edition, table 7; those of data in powers
// of two: IEC 80000-13. Inch, foot, yard, mile and pound: the international
// yard and pound agreement of 1959 (a yard is 0.9144 m, a pound 0.45359237 kg).
// Litre, hectare, tonne, nautical mile and knot: SI Brochure, table 8 and
// before. Fahrenheit: 32 °F is 0 °C, and 9 °F are 5 °C. All are exact.
var unitLists = []struct {
	quantity     Quantity
	factor, zero string
	names        string
}{
	{Length, "1", "", "m mtr metre metres meter meters metro metros metri"},
	{Length, "1/1000", "", "mm mmt millimetre millimetres millimeter millimeters millimetri milimetros"},
	{Length, "1/100", "", "cm cmt centimetre centimetres centimeter centimeters zentimeter centimetri centimetros"},
	{Length, "1/10", "", "dm decimetre decimeter dezimeter"},
	{Length, "1000", "", "km kmt kilometre kilometres kilometer kilometers kilometri kilometros"},
	{Length, "1/1000000", "", "um µm micrometre micrometer micron microns"},
	{Length, "1/1000000000", "", "nm nanometre nanometer nanometres nanometers"},
	{Length, "0.0254", "", "in inch inches zoll pouces pulgadas pollici inh"},
	{Length, "0.3048", "", "ft foot feet fot"},
	{Length, "0.9144", "", "yd yard yards yrd"},
	{Length, "1609.344", "", "mi mile miles meilen smi"},
	{Length, "1852", "", "nmi nauticalmile nauticalmiles seemeilen"},

	{Mass, "1", "", "kg kgm kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos chilogrammi"},
	{Mass, "1/1000", "", "g gr grm gram grams gramm gramme grammes gramos grammi"},
	{Mass, "1/1000000", "", "mg mgm milligram milligrams milligramm milligramme milligrammes"},
	{Mass, "1/1000000000", "", "mcg ug µg microgram micrograms mikrogramm"},
	{Mass, "1000", "", "t tne tonne tonnes tonnen"},
	{Mass, "0.45359237", "", "lb lbs lbr pound pounds"},
	{Mass, "0.028349523125", "", "oz onz ounce ounces unzen"},
	{Mass, "6.35029318", "", "st stone"},

	{Volume, "1", "", "l ltr litre litres liter liters litro litros litri"},
	{Volume, "1/1000", "", "ml mlt millilitre millilitres milliliter milliliters cm3 ccm cc"},
	{Volume, "1/100", "", "cl clt centilitre centilitres centiliter centiliters zentiliter"},
	{Volume, "1/10", "", "dl dlt decilitre deciliter deziliter"},
	{Volume, "1000", "", "m3 mtq cubicmetre cubicmetres cubicmeter cubicmeters kubikmeter"},
	{Volume, "3.785411784", "", "usgal usgallon usgallons"},
	{Volume, "4.54609", "", "imperialgallon imperialgallons"},

	{Area, "1", "", "m2 mtk qm sqm squaremetre squaremetres squaremeter squaremeters quadratmeter metriquadri metroscuadrados"},
	{Area, "1/10000", "", "cm2 sqcm squarecentimetres squarecentimeters quadratzentimeter"},
	{Area, "1000000", "", "km2 sqkm squarekilometres squarekilometers squarekilometre squarekilometer quadratkilometer"},
	{Area, "10000", "", "ha har hectare hectares hektar"},
	{Area, "0.09290304", "", "ft2 ftk sqft sqfeet squarefoot squarefeet"},
	{Area, "0.00064516", "", "in2 sqin squareinch squareinches"},
	{Area, "2589988.110336", "", "mi2 sqmi squaremile squaremiles"},
	{Area, "4046.8564224", "", "acre acres"},

	{Speed, "1", "", "mps ms-1 m/s metrespersecond meterspersecond"},
	{Speed, "5/18", "", "kmh kph km/h kmph kilometresperhour kilometersperhour"},
	{Speed, "0.44704", "", "mph mi/h milesperhour"},
	{Speed, "463/900", "", "kn kt kts knot knots knoten"},

	{Data, "1", "", "byte bytes"},
	{Data, "1000", "", "kb kilobyte kilobytes"},
	{Data, "1000000", "", "mb megabyte megabytes"},
	{Data, "1000000000", "", "gb gigabyte gigabytes"},
	{Data, "1000000000000", "", "tb terabyte terabytes"},
	{Data, "1024", "", "kib kibibytes"}, {Data, "1048576", "", "mib mebibytes"}, {Data, "1073741824", "", "gib gibibytes"}, {Data, "1099511627776", "", "tib tebibytes"},

	{Temperature, "1", "", "c °c celsius centigrade degc degreescelsius gradcelsius cel"},
	{Temperature, "5/9", "-32", "f °f fahrenheit degf degreesfahrenheit fah"},
	{Temperature, "1", "-273.15", "kelvin kelvins"},

	{Power, "1", "", "w wtt watt watts"},
	{Power, "1000", "", "kw kwt kilowatt kilowatts"},
	{Power, "1000000", "", "megawatt megawatts"},

	{Time, "1", "", "s sec secs second seconds sekunden secondes segundos secondi seconden"},
	{Time, "1/1000", "", "ms millisecond milliseconds millisekunden"},
	{Time, "60", "", "mins minute minutes minuten minutos minuti"},
	{Time, "3600", "", "h hr hrs hour hours stunden heures horas ore uren"},
	{Time, "86400", "", "day days tage jours dias giorni dagen"},
	{Time, "604800", "", "week weeks wochen semaines semanas settimane weken"},

	{Months, "1", "", "month months monate monaten mois meses mesi maanden"},
	{Months, "12", "", "year years jahre jahren ans annees anos anni jaren"},

	{Other, "1", "", "gal gallon gallons gallonen"},
	{Other, "1", "", "pt pint pints"},
	{Other, "1", "", "qt quart quarts"},
	{Other, "1", "", "floz fluidounce fluidounces usfloz"},
	{Other, "1", "", "ton tons"},
	{Other, "1", "", "kcal calorie calories kilocalorie kilocalories kalorien"},
	{Other, "1", "", "kj kilojoule kilojoules"},
	{Other, "1", "", "hp bhp horsepower"},
	{Other, "1", "", "ps pferdestarke pferdestarken"},
	{Other, "1", "", "kwh kilowatthours"},
	{Other, "1", "", "v volt volts"},
	{Other, "1", "", "hz hertz"},
	{Other, "1", "", "mah"},
	{Other, "1", "", "% percent percentage pct prozent"},
}

var unitsByKey = func() map[string]Unit {
	m := map[string]Unit{}
	for i, l := range unitLists {
		u := Unit{quantity: l.quantity, factor: rat(l.factor), zero: new(big.Rat)}
		if l.zero != "" {
			u.zero = rat(l.zero)
		}
		if l.quantity == Other {
			u.own = i
		}
		for name := range strings.FieldsSeq(l.names) {
			m[name] = u
		}
	}
	return m
}()

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
	return unitsByKey[unitKey(name)]
}

// maxUnit is the length in bytes of the longest name of a unit.
const maxUnit = 40

// unitKey writes the name of a unit as unitLists have it: in lower case, as one
// word, with plain digits.
func unitKey(name string) string {
	name = strings.ToLower(name)
	if isASCII(name) && !strings.ContainsAny(name, "^. \t\n") {
		return name
	}
	return unitSpelling.Replace(strings.TrimSpace(name))
}

var unitSpelling = strings.NewReplacer("²", "2", "³", "3", "^", "", ".", "", " ", "", "\u00a0", "", "\u202f", "", "μ", "µ", "é", "e", "è", "e", "ñ", "n")
