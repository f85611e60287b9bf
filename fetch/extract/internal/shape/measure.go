package shape

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// numbers returns the number that a value is. An amount with a unit becomes one
// in the unit that the name or the description of the property says, and a
// length of time one of minutes where they say nothing. What cannot be brought
// into the unit is none: another currency, a weight for a width.
func (sh *shaper) numbers(p *prop, f found, whole bool) []any {
	if p.measure.Currency != "" && sh.isOtherCurrency(p, f) {
		return nil
	}
	for _, text := range []string{f.value.Text, f.value.Shown} {
		if text == "" {
			continue
		}
		n, certain := sh.measured(p, text)
		if !certain {
			n = sh.plainNumber(p, f, text, whole)
		}
		if n == "" && certain || n != "" {
			return numberIf(n, whole)
		}
	}
	return nil
}

// numberIf returns a number, if it is one of the wanted kind.
func numberIf(n string, whole bool) []any {
	if n == "" || whole && strings.ContainsAny(n, ".eE") {
		return nil
	}
	return []any{json.Number(n)}
}

// measured reads an amount that says its unit. It is certain where the text has
// a unit: then nothing else may be read out of it.
func (sh *shaper) measured(p *prop, text string) (n string, certain bool) {
	if isLength(p) {
		if seconds, ok := value.Duration(text); ok {
			n, _ = value.In(seconds, lengthUnit(p))
			return n, true
		}
	}
	unit := p.measure.Unit
	if !unit.Known() && p.is("calories") {
		unit = value.NamedUnit("kcal")
	}
	if !unit.Known() || unit.Is(value.Time) {
		return "", false
	}
	n, fit := unit.In(text, sh.o.Language)
	return n, fit != value.Bare
}

// plainNumber reads a number without a unit: it is in that which its name on the
// page says, or what stands beside it, else in the one that is wanted.
func (sh *shaper) plainNumber(p *prop, f found, text string, whole bool) string {
	lang := sh.o.Language
	if f.value.Kind == graph.Number {
		lang = ""
	}
	read := value.Number
	if whole && f.value.Kind != graph.Number && p.is("reviewCount", "ratingCount", "commentCount", "interactionCount", "numberOfEmployees", "wordCount") {
		read = value.Count
	}
	n, ok := read(text, lang)
	if !ok {
		return ""
	}
	if n, ok = sh.inWanted(p, f, n); !ok {
		return ""
	}
	unit := p.measure.Unit
	if from := unitBeside(f); unit.Known() && from.Known() && !unit.Is(value.Time) {
		n, _ = unit.ConvertNumber(n, from)
	}
	return n
}

// inWanted brings a number into the smaller unit of a currency, or out of it,
// and a length of time out of the unit that its name on the page says.
func (sh *shaper) inWanted(p *prop, f found, n string) (string, bool) {
	if isLength(p) {
		from, err := strconv.ParseFloat(n, 64)
		if seconds := secondsNamed(f.name); seconds != 0 && err == nil {
			return value.In(from*seconds, lengthUnit(p))
		}
		return n, true
	}
	minor := names.MeasureOf(f.name).Minor
	switch {
	case p.measure.Minor && !minor:
		return value.Minor(n, sh.codeOf(f))
	case minor && !p.measure.Minor && p.is(prices...):
		return value.Major(n, sh.codeOf(f))
	}
	return n, true
}

// codeOf is the currency of an amount, by what stands in it or around it, or "".
func (sh *shaper) codeOf(f found) string {
	if code, ok := value.Currency(f.value.Text); ok {
		return code
	}
	return sh.currencyOf(f)
}

// secondsNamed returns the seconds in the unit of time that a name on the page
// says, 0 if none is: cookTimeMinutes.
func secondsNamed(name string) float64 {
	if s := names.MeasureOf(name).Unit.Seconds(); s != 0 {
		return s
	}
	words := names.Words(name)
	if len(words) < 2 {
		return 0
	}
	return units[words[len(words)-1]]
}

// unitBeside is the unit that the name of a value says, or the thing that it is
// the value of: a QuantitativeValue of schema.org has a unitCode.
func unitBeside(f found) value.Unit {
	if u := names.MeasureOf(f.name).Unit; u.Known() {
		return u
	}
	if f.entity == nil || f.name != "value" && f.name != "minValue" && f.name != "maxValue" {
		return value.Unit{}
	}
	for _, name := range []string{"unitCode", "unitText"} {
		for _, v := range f.entity.Get(name) {
			if u := value.NamedUnit(v.Text); u.Known() {
				return u
			}
		}
	}
	return value.Unit{}
}

// isOtherCurrency reports whether an amount is in another currency than the one
// that is asked for: money is not converted.
func (sh *shaper) isOtherCurrency(p *prop, f found) bool {
	code := ""
	for _, text := range []string{f.value.Text, f.value.Shown} {
		if found, ok := value.Currency(text); ok && code == "" {
			code = found
		}
	}
	if said := sh.currencyOf(f); said != "" {
		code = said // a plain $ is that of several countries
	}
	if code == "" {
		code = names.MeasureOf(f.name).Currency
	}
	return code != "" && code != p.measure.Currency
}

// currencyOf is the currency that the thing of a value says, or one around it.
func (sh *shaper) currencyOf(f found) string {
	if f.entity == nil {
		return ""
	}
	if !isPage(f.entity) {
		return sh.things.currency[f.entity]
	}
	if f.entity.Source == graph.Meta {
		return ownCurrency(f.entity)
	}
	return ""
}

// ownCurrency is the currency that a thing says, as a code.
func ownCurrency(e *graph.Entity) string {
	for _, name := range []string{"priceCurrency", "currency", "product:price:currency", "og:price:currency"} {
		for _, v := range e.Get(name) {
			if code, ok := value.Currency(strings.ToUpper(v.Text)); ok {
				return code
			}
		}
	}
	return ""
}

// isLength reports whether a property is a length of time.
func isLength(p *prop) bool {
	return p.is("totalTime", "prepTime", "cookTime", "restTime", "duration", "deliveryTime", "courseWorkload") || unitOf(p) != 0
}

var lengthConcepts = []string{"totalTime", "prepTime", "cookTime", "restTime"}

// isShortTime reports whether a text may be a length of time in words.
func isShortTime(text string) bool {
	return len(text) < 80 && strings.ContainsAny(text, "0123456789½¼¾⅓⅔") && !strings.Contains(text, ". ")
}

// lengthUnit returns the seconds in the unit of a length of time: minutes, where
// nothing is said.
func lengthUnit(p *prop) float64 {
	if u := unitOf(p); u != 0 {
		return u
	}
	return 60
}

// unitOf returns the seconds in the unit of time that a property is said to be
// in, 0 if none is.
func unitOf(p *prop) float64 {
	if s := p.measure.Unit.Seconds(); s != 0 || p.measure.Known() {
		return s
	}
	for _, w := range names.Words(p.name) {
		if u := units[w]; u != 0 {
			return u
		}
	}
	for part := range strings.FieldsSeq(p.about) {
		for _, w := range names.Words(part) {
			if u := units[w]; u != 0 {
				return u
			}
		}
	}
	return 0
}

var units = map[string]float64{
	"seconds": 1, "second": 1, "secs": 1, "sec": 1, "sekunden": 1, "secondes": 1, "segundos": 1, "secondi": 1, "seconden": 1,
	"minutes": 60, "minute": 60, "mins": 60, "minuten": 60, "minutos": 60, "minuti": 60,
	"hours": 3600, "hour": 3600, "hrs": 3600, "stunden": 3600, "heures": 3600, "horas": 3600, "ore": 3600, "uren": 3600,
	"days": 86400, "tage": 86400, "jours": 86400, "dias": 86400, "giorni": 86400, "dagen": 86400,
}
