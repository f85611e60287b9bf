package shape

import (
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/value"
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
	if isPage(f.entity) {
		texts = append(texts, sh.lineOf(f.value.Element))
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

// lineOf returns the text of the block that the element of a price is in, "" if
// it is long or has several numbers.
func (sh *shaper) lineOf(n *html.Node) string {
	for n != nil && !page.IsBlock(n) {
		n = n.Parent
	}
	if n == nil {
		return ""
	}
	sh.m.Step(maxTimeNodes)
	text := page.Collapse(textIn(n))
	if _, ok := value.Number(text, sh.o.Language); !ok {
		return ""
	}
	return text
}
