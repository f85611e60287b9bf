package names

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// Measure is what a name or a description says that a number is in: a unit, or
// the code of a currency.
type Measure struct {
	Unit     mention.Unit
	Currency string
	// Minor says that it is in the smaller unit of a currency, such as cents.
	Minor bool
}

// Known reports whether anything is said.
func (m Measure) Known() bool { return m.Unit.Known() || m.Currency != "" || m.Minor }

// MeasureOf returns what a name says that its values are in: "widthCm",
// "weight_in_grams", "Weight (kg)", "priceEUR".
func MeasureOf(name string) Measure {
	if len(name) > maxName {
		return Measure{}
	}
	if m := bracketed(name); m.Known() {
		return m
	}
	_, m := cutMeasure(Words(name))
	return m
}

// inBrackets is what stands at the end of a name in brackets.
var inBrackets = lexicon.Pattern(`[(\[]\s*(?:in\s+)?([^()\[\]]{1,24}?)\s*[)\]]`)

func bracketed(text string) Measure {
	if !strings.ContainsAny(text, "([") {
		return Measure{}
	}
	if m := inBrackets().FindStringSubmatch(text); m != nil {
		return measureNamed(m[1])
	}
	return Measure{}
}

// measureNamed reads the name of a unit, or of a currency.
func measureNamed(name string) Measure {
	if minorWords[strings.ToLower(name)] {
		return Measure{Minor: true}
	}
	if u := mention.NamedUnit(name); u.Known() {
		return Measure{Unit: u}
	}
	if code, ok := mention.Currency(name); ok {
		return Measure{Currency: code}
	}
	return Measure{}
}

// cutMeasure takes the unit off the words of a name, with an "in" before it. A
// name that is nothing else has none.
func cutMeasure(words []string) (rest []string, m Measure) {
	for size := 2; size > 0; size-- {
		if len(words) <= size {
			continue
		}
		rest, last := words[:len(words)-size], strings.Join(words[len(words)-size:], "")
		if rest[len(rest)-1] == "in" || rest[len(rest)-1] == "en" {
			rest = rest[:len(rest)-1]
		}
		if len(rest) == 0 {
			continue
		}
		if minorWords[last] && isMoney(rest) {
			return rest, Measure{Minor: true}
		}
		if size == 1 && isMoney(rest) {
			if code, ok := mention.Currency(strings.ToUpper(last)); ok {
				return rest, Measure{Currency: code}
			}
		}
		if u := mention.NamedUnit(last); u.Known() && isUnitOf(u, last, rest) {
			return rest, Measure{Unit: u}
		}
	}
	return nil, Measure{}
}

// isUnitOf reports whether the last word of a name is the unit of the rest: one
// that means something else too has to stand behind what it measures.
func isUnitOf(u mention.Unit, last string, rest []string) bool {
	if len(last) > 1 && !ambiguous[last] {
		return true
	}
	for q, words := range measured {
		if u.Is(q) && slices.ContainsFunc(rest, func(w string) bool { return words[w] }) {
			return true
		}
	}
	return false
}

// ambiguous are the names of units that are also other words.
var ambiguous = setOf(`in st stone pt pint qt ps kt kts kn knot ton tons foot yard yards mile day days second seconds sec secs minute hour hours week weeks month months year years ans an
	anos anni mois ore calorie calories kalorien kilo kilos byte bytes micron har cel ltr kwt smi fah nm mi hp gr mps ms pound pounds acre bhp hz acres metri metros`)

// measured are words for what has an amount, by the quantity.
var measured = map[mention.Quantity]map[string]bool{
	mention.Length:      setOf("width height depth length distance thickness diameter radius size range altitude elevation breite hohe tiefe lange entfernung largeur hauteur longueur ancho alto largo altura"),
	mention.Mass:        setOf("weight mass load payload gewicht poids peso fat protein carbs carbohydrates sugar sugars salt fiber fibre sodium cholesterol quantity netweight content"),
	mention.Volume:      setOf("volume capacity content contents volumen inhalt contenance capacidad tank"),
	mention.Area:        setOf("area size surface flache floor land lot plot superficie"),
	mention.Speed:       setOf("speed velocity wind geschwindigkeit vitesse velocidad"),
	mention.Data:        setOf("size storage memory ram disk file download capacity"),
	mention.Temperature: setOf("temperature temp temperatur oven heat temperatura"),
	mention.Power:       setOf("power wattage leistung puissance potencia consumption"),
	mention.Time:        setOf("time duration delivery cook cooking prep preparation total lead shipping reading baking rest dauer zeit"),
	mention.Months:      setOf("warranty guarantee contract term age experience duration lease garantie period"),
	mention.Other:       setOf("volume capacity content weight power energy"),
}

// isMoney reports whether the words of a name are for an amount of money.
func isMoney(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return moneyWords[w] }) ||
		slices.ContainsFunc(conceptsOf(words, words), func(c string) bool { return slices.Contains(moneyConcepts, c) })
}

var (
	moneyWords    = setOf("price cost salary amount fee total rent budget revenue income pay wage preis kosten gehalt prix precio prezzo prijs rate deposit turnover")
	moneyConcepts = []string{"price", "netPrice", "lowPrice", "highPrice", "originalPrice", "baseSalary", "salaryMin", "salaryMax", "monthlyRent", "shippingRate"}
)

// told are the ways in which a description says a unit.
var told = lexicon.Pattern(`(?i)\b(?:in|number of|as)\s+(?:the\s+|whole\s+|full\s+)?((?:US |american |square |cubic |fl\.? ?)?[\pLµ°$€£%]+[²³23]?(?:/\pL+|\s+per\s+\pL+)?)`)

// DescribedMeasure returns what a description says that a number is in: "Width
// in centimetres", "weight (kg)", "mm", "price, in US dollars".
func DescribedMeasure(text string) Measure {
	if len(text) > maxAbout {
		text = strings.ToValidUTF8(text[:maxAbout], "")
	}
	text = strings.TrimRight(strings.TrimSpace(text), ".")
	if m := bracketed(text); m.Known() {
		return m
	}
	for _, found := range told().FindAllStringSubmatch(text, 8) {
		if m := measureNamed(strings.ReplaceAll(found[1], " per ", "per")); m.Known() {
			return m
		}
		if head, _, cut := strings.Cut(found[1], " "); cut {
			if m := measureNamed(head); m.Known() {
				return m
			}
		}
	}
	if u := mention.NamedUnit(text); u.Known() {
		return Measure{Unit: u}
	}
	_, m := cutMeasure(descriptionWords(text))
	return m
}

// maxAbout is how much of a description is read for a unit, in bytes.
const maxAbout = 400
