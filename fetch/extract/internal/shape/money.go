package shape

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// codeOf is the currency of an amount, by what stands in it or around it, or "".
func (sh *shaper) codeOf(f found) string {
	if code, ok := mention.Currency(f.value.Text); ok {
		return code
	}
	return sh.currencyOf(f)
}

// isOtherCurrency reports whether an amount is in another currency than the one
// that is asked for: money is not converted.
func (sh *shaper) isOtherCurrency(p *prop, f found) bool {
	code := ""
	for _, text := range []string{f.value.Text, f.value.Shown} {
		if found, ok := mention.Currency(text); ok && code == "" {
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
			if code, ok := mention.Currency(strings.ToUpper(v.Text)); ok {
				return code
			}
		}
	}
	return ""
}
