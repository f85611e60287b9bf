package shape

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// repeats reports whether a text that a list has already is one more item of it: where a
// thing that is described for machines says it twice in a list whose items may come again, such as
// salt among the ingredients, or a list that people see. Elsewhere the same text is the same item, found in two places.
func (l *list) repeats(first, f found) bool {
	if l.v.unique || !l.p.is("recipeIngredient", "recipeInstructions", "step") || f.entity != first.entity || f.entity.Source > graph.RDFa && f.value.Source != graph.Item {
		return false
	}
	return f.name == first.name && (f.value.Element != first.value.Element || f.value.Place != first.value.Place)
}
