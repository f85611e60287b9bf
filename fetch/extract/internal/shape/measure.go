package shape

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// numbers returns the number that a value is. An amount with a unit becomes one
// in the unit that the name or the description of the property says, and a
// length of time one of minutes where they say nothing. What cannot be brought
// into the unit is none: another currency, a weight for a width.
func (sh *shaper) numbers(p *prop, f found, whole bool) []any {
	if p.measure.Currency != "" && sh.isOtherCurrency(p, f) {
		return nil
	}
	if sh.isOtherScale(p, f) {
		return nil
	}
	for _, text := range []string{f.value.Text, f.value.Shown} {
		if text == "" {
			continue
		}
		if n, none := oddAmount(p, text); none || n != "" {
			return numberIf(n, whole)
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
		if seconds, ok := mention.Duration(text); ok {
			n, _ = mention.In(seconds, lengthUnit(p))
			return n, true
		}
	}
	unit := p.measure.Unit
	if !unit.Known() && p.is("calories") {
		unit = mention.NamedUnit("kcal")
	}
	if !unit.Known() || unit.Is(mention.Time) {
		return "", false
	}
	n, fit := unit.In(text, sh.o.Language)
	return n, fit != mention.Bare
}

// plainNumber reads a number without a unit: it is in that which its name on the
// page says, or what stands beside it, else in the one that is wanted.
func (sh *shaper) plainNumber(p *prop, f found, text string, whole bool) string {
	lang := sh.o.Language
	if f.value.Kind == graph.Number {
		lang = ""
	}
	read := mention.Number
	if isSaid(f) && !p.is(fractions...) {
		_, money := mention.Currency(f.value.Shown)
		money = money || p.is(pay...)
		read = func(text, lang string) (string, bool) { return mention.Said(text, lang, money) }
	}
	if whole && f.value.Kind != graph.Number && p.is("reviewCount", "ratingCount", "commentCount", "interactionCount", "numberOfEmployees", "wordCount") {
		read = mention.Count
	}
	n, ok := read(text, lang)
	if !ok {
		return ""
	}
	if n, ok = sh.inWanted(p, f, n); !ok {
		return ""
	}
	unit := p.measure.Unit
	if from := unitBeside(f); unit.Known() && from.Known() && !unit.Is(mention.Time) {
		n, _ = unit.ConvertNumber(n, from)
	}
	return n
}

// fractions are the concepts whose values are below a thousand: the point in
// them sets off decimals in any language.
var fractions = []string{"latitude", "longitude", "ratingValue", "aggregateRating", "reviewRating", "version"}

// isSaid reports whether a value is a text that people see, or a part of one,
// and no number that stands on the page for machines.
func isSaid(f found) bool {
	if f.value.Kind != graph.Text || f.entity == nil || f.entity.Source < graph.Table {
		return false
	}
	return f.value.Place == "" && (f.value.Shown == "" || strings.Contains(f.value.Shown, strings.TrimSpace(f.value.Text)))
}

// inWanted brings a number into the smaller unit of a currency, or out of it,
// and a length of time out of the unit that its name on the page says.
func (sh *shaper) inWanted(p *prop, f found, n string) (string, bool) {
	if isLength(p) {
		from, err := strconv.ParseFloat(n, 64)
		if seconds := secondsNamed(f.name); seconds != 0 && err == nil {
			return mention.In(from*seconds, lengthUnit(p))
		}
		return n, true
	}
	minor := names.MeasureOf(f.name).Minor
	switch {
	case p.measure.Minor && !minor:
		return mention.Minor(n, sh.codeOf(f))
	case minor && !p.measure.Minor && p.is(prices...):
		return mention.Major(n, sh.codeOf(f))
	}
	return n, true
}

// unitBeside is the unit that the name of a value says, or the thing that it is
// the value of: a QuantitativeValue of schema.org has a unitCode.
func unitBeside(f found) mention.Unit {
	if u := names.MeasureOf(f.name).Unit; u.Known() {
		return u
	}
	if f.entity == nil || f.name != "value" && f.name != "minValue" && f.name != "maxValue" {
		return mention.Unit{}
	}
	for _, name := range []string{"unitCode", "unitText"} {
		for _, v := range f.entity.Get(name) {
			if u := mention.NamedUnit(v.Text); u.Known() {
				return u
			}
		}
	}
	return mention.Unit{}
}
