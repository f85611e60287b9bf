package names

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
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
func (m Measure) Known() bool { return m != Measure{} }

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

// Exact returns the number of a text in the measure, if the text says what its
// number is in, or its label does: "1.35 kg" are 1350 g, and $5 are no euros. It
// is asIs if the text can stand as it is: it has its amount in the very measure,
// or the measure is not known.
func (m Measure) Exact(label, text, lang string) (number string, asIs bool) {
	if !m.Known() {
		return "", true
	}
	said := MeasureOf(label)
	currency, written := mention.CurrencyIn(text, lang)
	asIs = m == said || written && m == Measure{Currency: currency}
	if m.Unit.Known() {
		if unit, isAmount := mention.UnitText(text); isAmount {
			asIs = mention.NamedUnit(unit) == m.Unit
		}
		number, fit := m.Unit.Exact(text, lang)
		if fit == mention.Bare && said.Unit.Known() {
			number, fit = m.Unit.ConvertNumber(number, said.Unit)
		}
		if fit != mention.Converted {
			return "", asIs
		}
		return number, asIs
	}
	number, ok := mention.Exact(text, lang, false)
	if !written {
		currency = said.Currency
	}
	switch {
	case !ok:
	case m.Minor && currency != "" && !said.Minor:
		number, ok = mention.Minor(number, currency)
	default:
		ok = m.Minor == said.Minor && (m.Minor || currency == m.Currency)
	}
	if !ok {
		return "", asIs
	}
	return number, asIs
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
	if is("minor", strings.ToLower(name)) {
		return Measure{Minor: true}
	}
	if u := mention.NamedUnit(name); u.Known() {
		return Measure{Unit: u}
	}
	code, _ := mention.Currency(name)
	return Measure{Currency: code}
}

// cutMeasure takes the unit off the words of a name, with an "in" before it. A
// name that is nothing else has none.
func cutMeasure(words []string) (rest []string, m Measure) {
	for size := min(2, len(words)-1); size > 0; size-- {
		rest, last := words[:len(words)-size], strings.Join(words[len(words)-size:], "")
		if end := rest[len(rest)-1]; end == "in" || end == "en" {
			rest = rest[:len(rest)-1]
		}
		if len(rest) == 0 {
			continue
		}
		if is("minor", last) && isMoney(rest) {
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
	return nil, m
}

// isUnitOf reports whether the last word of a name is the unit of the rest: one
// that means something else too has to stand behind what it measures.
func isUnitOf(u mention.Unit, last string, rest []string) bool {
	return len(last) > 1 && !is("ambiguous", last) || slices.ContainsFunc(rest, func(w string) bool { return is(u.Quantity, w) })
}

// isMoney reports whether the words of a name are for an amount of money.
func isMoney(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return is("money", w) }) ||
		slices.ContainsFunc(conceptsOf(words, words), func(c string) bool { return is("moneyConcepts", c) })
}

// told are the ways in which a description says a unit.
var told = lexicon.Pattern(`(?i)\b(?:in|number of|as)\s+(?:the\s+|whole\s+|full\s+)?((?:US |american |square |cubic |fl\.? ?)?[\pLµ°$€£%]+[²³23]?(?:/\pL+|\s+per\s+\pL+)?)`)

// DescribedMeasure returns what a description says that a number is in: "Width
// in centimetres", "weight (kg)", "mm", "price, in US dollars".
func DescribedMeasure(text string) Measure {
	text = strings.TrimRight(strings.TrimSpace(shorten.Prefix(text, maxAbout)), ".")
	if m := bracketed(text); m.Known() {
		return m
	}
	for _, found := range told().FindAllStringSubmatch(text, 8) {
		head, _, _ := strings.Cut(found[1], " ")
		for _, name := range []string{strings.ReplaceAll(found[1], " per ", "per"), head} {
			if m := measureNamed(name); m.Known() {
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

// behindAmount is what an amount is for, behind it; "p.p." is for a person.
var behindAmount = lexicon.Pattern(`(?i)\d[\s\x{a0}]*(?:[€$£¥]|[A-Z]{3}\b)?[\s\x{a0}]*(?:(?:/|\b(?:per|pro|par|por|an?|la|à la|al|je)\b)[\s\x{a0}]*([\pL²³]+[23]?)|p\.?(p)\.?$)`)

// Per returns for what an amount of money is, by its name, its text or what is
// said of it: "kg" for "pricePerKg", "£5.75 / kg" and "price per kilogram",
// "night" for "80 € pro Nacht"; "" where it is for the whole.
func Per(text string) string {
	text = shorten.Prefix(text, maxName)
	if m := behindAmount().FindStringSubmatch(text); m != nil {
		if per := share(m[1] + m[2]); per != "" {
			return per
		}
	}
	words := Words(text)
	for i, w := range words[:max(len(words)-1, 0)] {
		if is("per", w) {
			if per := share(words[i+1]); per != "" {
				return per
			}
		}
	}
	return ""
}

// IsPer reports whether a name says that an amount is for one of what is sold,
// whatever it is.
func IsPer(name string) bool {
	words := Words(name)
	return len(words) > 1 && is("per", words[len(words)-2])
}

// shares are words for what an amount is for, with the one that stands for all,
// sharesOf all that it stands for, and goods the units that goods are sold by.
var (
	shares   = lexicon.ByWord(files, "shares")
	sharesOf = lexicon.Listed(files, "shares")
	goods    = lexicon.Entries(files, "goods")
)

// share returns the one word for what an amount is for: of the units that goods
// are sold by their symbol.
func share(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	if one := shares()[mention.Key(word)]; one != "" {
		return one
	}
	if u := mention.NamedUnit(word); u.Known() {
		for _, g := range goods() {
			if mention.NamedUnit(g.Name) == u {
				return g.Name
			}
		}
	}
	return ""
}

// IsGoods reports whether what [Per] returned is a unit that goods are sold by.
func IsGoods(per string) bool {
	return slices.ContainsFunc(goods(), func(g lexicon.Entry) bool { return g.Name == per })
}

// SaysPeriod reports whether one of the words is for how often something is due.
func SaysPeriod(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return len(w) > 2 && is("periods", shares()[w]) })
}
