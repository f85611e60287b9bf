package shape

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// numbers returns the number that a value is. An amount with a unit becomes one
// in the unit that the name or the description of the property says, and a
// length of time one of minutes where they say nothing. What cannot be brought
// into the unit is none: another currency, for money is not converted, a weight
// for a width.
func (sh *shaper) numbers(p *prop, f found, whole bool) []any {
	if want := p.measure.Currency; want != "" && !slices.Contains([]string{"", want}, sh.currencyOf(f)) {
		return nil
	}
	for _, text := range textsIn(f.value) {
		if isNoAmount(p, text) {
			return nil
		}
		n, certain := sh.priceOfUnit(p, text)
		if text = p.plain(text, whole); !certain {
			n, certain = sh.measured(p, text)
		}
		if !certain {
			n = sh.plainNumber(p, f, text, whole)
		}
		if n != "" && !(whole && strings.ContainsAny(n, ".eE")) {
			return []any{json.Number(n)}
		}
		if certain {
			return nil
		}
	}
	return nil
}

// priceOfUnit reads the price of one of the unit that is asked for out of one for more or
// less of it: 12,50 € / 100 g are 125 € / kg.
func (sh *shaper) priceOfUnit(p *prop, text string) (n string, certain bool) {
	if !p.of("price") || !names.IsGoods(p.per) {
		return "", false
	}
	price, per := mention.UnitPrice(text)
	if per == "" {
		return "", false
	}
	if number, ok := mention.Number(price, sh.o.Language); ok {
		n, _ = mention.NamedUnit(p.per).PriceIn(number, per)
	}
	if p.measure.Minor {
		n, _ = mention.Minor(n, "")
	}
	return n, true
}

// plain returns a text without what would make another number of it where a property asks
// for a rating or a whole number: 3/4 is three of four.
func (p *prop) plain(text string, whole bool) string {
	isRating := p.is("ratingValue", "aggregateRating", "reviewRating")
	if rating, _ := mention.Rating(text); isRating && rating != "" {
		text = rating
	}
	if isRating || whole {
		return strings.ReplaceAll(text, "/", " / ")
	}
	return text
}

// measured reads an amount that says its unit. It is certain where the text has
// a unit: then nothing else may be read out of it.
func (sh *shaper) measured(p *prop, text string) (n string, certain bool) {
	if wanted := lengthUnit(p); wanted != 0 {
		if seconds, ok := mention.Duration(text); ok {
			n, _ = mention.In(seconds, wanted)
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
	lang, read := sh.o.Language, mention.Number
	switch isNumber := f.value.Kind == graph.Number; {
	case isNumber:
		lang = ""
	case whole && p.of("count"):
		read = mention.Count
	case f.entity != nil && f.entity.Source >= graph.Table && f.value.Kind == graph.Text && f.value.Place == "" && !p.of("fraction"):
		_, money := mention.Currency(f.value.Shown)
		read = func(text, lang string) (string, bool) { return mention.Said(text, lang, money || p.of("pay")) }
	}
	n, ok := read(text, lang)
	if !ok {
		return ""
	}
	return sh.inWanted(p, f, n)
}

// inWanted brings a number into the unit that is wanted, out of the one that its
// name on the page says, or the thing that it is the value of: a
// QuantitativeValue of schema.org has a unitCode.
func (sh *shaper) inWanted(p *prop, f found, n string) string {
	own, wanted := names.MeasureOf(f.name), lengthUnit(p)
	if !own.Unit.Known() && f.entity != nil && slices.Contains([]string{"value", "minValue", "maxValue"}, f.name) {
		for _, text := range textsOf(f.entity, "unitText", "unitCode") {
			own.Unit = mention.NamedUnit(text)
		}
	}
	seconds := own.Unit.Seconds()
	switch {
	case wanted != 0 && seconds != 0:
		if from, err := strconv.ParseFloat(n, 64); err == nil {
			n, _ = mention.In(from*seconds, wanted)
		}
	case wanted != 0:
	case p.measure.Minor && !own.Minor:
		n, _ = mention.Minor(n, sh.currencyOf(f))
	case (own.Minor || isOfShopify(f)) && !p.measure.Minor && p.of("price"):
		n, _ = mention.Major(n, sh.currencyOf(f))
	case p.measure.Unit.Known() && own.Unit.Known():
		n, _ = p.measure.Unit.ConvertNumber(n, own.Unit)
	}
	return n
}

// isOfShopify reports whether an amount is one of the data that Shopify gives its
// themes, which is in cents.
func isOfShopify(f found) bool {
	return f.entity != nil && f.entity.Source == graph.State && f.value.Kind == graph.Number && !strings.Contains(f.value.Text, ".") &&
		slices.ContainsFunc([]string{"compare_at_price", "requires_shipping", "inventory_management", "public_title"}, func(name string) bool { return f.entity.Get(name) != nil })
}

// lengthUnit returns the seconds in the unit that a length of time is wanted in,
// as its name or its description says, else minutes; 0 for what is none.
func lengthUnit(p *prop) float64 {
	if s := p.measure.Unit.Seconds(); s != 0 {
		return s
	}
	if !p.of("length") {
		return 0
	}
	for w := range strings.FieldsSeq(p.about) {
		if s := mention.NamedUnit(w).Seconds(); s != 0 && len(w) > 2 {
			return s
		}
	}
	return 60
}

// currencyOf is the currency of an amount, as a code or "": by its thing or one
// around that, for a plain $ is that of several countries, else by what stands in
// it, or by its name.
func (sh *shaper) currencyOf(f found) string {
	if code := sh.things.of(f.entity).currency; code != "" {
		return code
	}
	for _, text := range textsIn(f.value) {
		if code, ok := mention.Currency(text); ok {
			return code
		}
	}
	return names.MeasureOf(f.name).Currency
}

// ownCurrency is the currency that a thing says, as a code.
func ownCurrency(e *graph.Entity) string {
	for _, text := range textsOf(e, "priceCurrency", "currency", "product:price:currency", "og:price:currency") {
		if code, ok := mention.Currency(strings.ToUpper(text)); ok {
			return code
		}
	}
	return ""
}

// textsOf are the first texts that a thing has under some names, each once.
func textsOf(e *graph.Entity, names ...string) (all []string) {
	for _, name := range names {
		if vs := e.Get(name); len(vs) > 0 && vs[0].Text != "" && (len(all) == 0 || all[len(all)-1] != vs[0].Text) {
			all = append(all, vs[0].Text)
		}
	}
	return all
}
