package plain

import (
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// measureOf is what one of the names says that the value is in: weightGrams.
func measureOf(all []string) (m names.Measure) {
	for _, n := range all {
		if m = names.MeasureOf(n); m.Known() {
			return m
		}
	}
	return m
}

// inMeasure returns the number of a text in the measure that is asked for, if
// the text says what its number is in, or the label does: "1.35 kg" are 1350 g,
// and $5 are no euros.
func inMeasure(m names.Measure, label, text, lang string) (number string, ok bool) {
	said := names.MeasureOf(label)
	if m.Unit.Known() {
		number, fit := m.Unit.Exact(text, lang)
		if fit == mention.Bare && said.Unit.Known() {
			number, fit = m.Unit.ConvertNumber(number, said.Unit)
			return number, fit == mention.Converted
		}
		return number, fit == mention.Converted
	}
	if number, ok = mention.Exact(text, lang, false); !ok {
		return "", false
	}
	currency, written := mention.CurrencyIn(text, lang)
	if !written {
		currency = said.Currency
	}
	switch {
	case m.Minor && currency != "" && !said.Minor:
		return mention.Minor(number, currency)
	case m.Minor:
		return number, said.Minor
	}
	return number, currency == m.Currency && !said.Minor
}

// standsIn reports whether a text has its amount in the very measure, so that it
// can stand as it is.
func standsIn(m names.Measure, label, text, lang string) bool {
	if unit, ok := mention.UnitText(text); ok && m.Unit.Known() {
		return mention.NamedUnit(unit) == m.Unit
	}
	said := names.MeasureOf(label)
	code, written := mention.CurrencyIn(text, lang)
	return m == said || written && m == names.Measure{Currency: code}
}

// hasMeasure reports whether a text can be had in the measure that names ask
// for, be it as the page has it.
func hasMeasure(all []string, label, text, lang string) bool {
	m := measureOf(all)
	if !m.Known() || standsIn(m, label, text, lang) {
		return true
	}
	_, ok := inMeasure(m, label, text, lang)
	return ok
}
