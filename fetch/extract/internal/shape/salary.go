package shape

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// salary writes a salary of which the least and the most are given, or for how
// long it is, in one line: "70000 - 90000 EUR per year". A thing would otherwise
// be no more than its first number.
func (sh *shaper) salary(p *prop, v *view, f found) *node {
	e := f.value.Entity
	if !p.is("baseSalary") || !v.typed || !v.may(typeString) || v.may(typeNumber) || !sh.isA(e, "MonetaryAmount", "MonetaryAmountDistribution") {
		return nil
	}
	amount := e
	if vs := e.Get("value"); len(vs) > 0 && vs[0].Entity != nil {
		amount = vs[0].Entity
	}
	line := strings.Join(textsOf(amount, "minValue", "maxValue"), " - ")
	if line == "" {
		line = strings.Join(textsOf(amount, "value"), "")
	}
	if line == "" {
		return nil
	}
	for _, code := range textsOf(e, "currency") {
		line += " " + code
	}
	for _, unit := range textsOf(amount, "unitText") {
		line += " per " + strings.ToLower(unit)
	}
	text := f
	text.value.Kind, text.value.Text = graph.Text, line
	return sh.scalar(p, v, text, maxInside)
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
