package shape

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// endOfRange finds the lowest and the highest price where the page has both in
// one text: "Price: 1,299 - 1,499 €".
func (sh *shaper) endOfRange(p *prop, v *view, s scope) *node {
	if !p.is("lowPrice", "highPrice") || s.outer != nil {
		return nil
	}
	price := &prop{name: "price", key: names.Parse("price"), concepts: []string{"price"}, vias: viasOf([]string{"price"}), sub: p.sub, scores: map[string]int{}}
	for _, c := range sh.search(price, s) {
		f := found{c.entity, c.field.Name, c.field.Values[0]}
		if f.value.Kind != graph.Text || len(f.value.Text) > maxSaid || sh.isDoubtful(p, f) {
			continue
		}
		low, high, ok := mention.Range(f.value.Text, sh.o.Language)
		if !ok {
			continue
		}
		end := f
		if end.value.Text = low; p.is("highPrice") {
			end.value.Text = high
		}
		end.value.Kind, end.value.Shown = graph.Number, f.value.Text
		if n := sh.scalar(p, v, end, 0); n != nil {
			return n
		}
	}
	return nil
}
