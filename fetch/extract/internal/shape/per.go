package shape

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/names"
)

// isPer reports whether a price is for as much, or for as long, as is asked for:
// by its name on the page, by its own words, by the unit of its thing, or by
// what else stands in its line. One of which nothing is said is the price of the
// whole.
func (sh *shaper) isPer(p *prop, f found) bool {
	if per := names.Per(f.name); per != "" {
		return per == p.per
	}
	texts := []string{f.value.Text, f.value.Shown}
	if f.value.Kind == graph.Thing && f.value.Entity != nil {
		texts = append(textsOf(f.value.Entity, "price", "name"), perTexts(f.value.Entity)...)
	}
	if f.entity.Source >= graph.Table {
		texts = append(texts, sh.behind(f.value))
	} else {
		texts = append(texts, perTexts(f.entity)...)
	}
	for _, text := range texts {
		if per := names.Per(cutText(text)); per != "" {
			return per == p.per
		}
	}
	return p.perhaps || sh.name(f.name).Key == p.key.Key
}

// perTexts say for how much a price specification is.
func perTexts(e *graph.Entity) (all []string) {
	for _, unit := range textsOf(e, "unitText", "unitCode") {
		all = append(all, "price per "+unit)
	}
	return all
}

// behind returns a price with what stands behind it in its block, "" if that has
// more numbers.
func (sh *shaper) behind(v graph.Value) string {
	n := v.Element
	for n != nil && !page.IsBlock(n) {
		n = n.Parent
	}
	if n == nil || v.Text == "" {
		return ""
	}
	sh.m.Step(maxTimeNodes)
	text := page.Collapse(textIn(n))
	at := strings.Index(text, v.Text)
	if at < 0 || len(number().FindAllString(text[at:], 2)) != 1 {
		return ""
	}
	return text[at:]
}

var number = lexicon.Pattern(`\d+(?:[.,]\d+)*`)
