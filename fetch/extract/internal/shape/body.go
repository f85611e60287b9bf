package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// body is the name of the field in which the document has the text of the page's
// content, as schema.org calls that of an article.
const body = "articleBody"

// addBody gives the document the text of the page's content when a property asks
// for it first: finding it takes as long as all else.
func (sh *shaper) addBody(p *prop, s scope) {
	i := slices.IndexFunc(s.entities, func(e *graph.Entity) bool { return e.Source == graph.Document })
	if sh.o.Body == nil || i < 0 || !p.is(body) {
		return
	}
	var v graph.Value
	v.Text, v.Element, sh.bodyErr = sh.o.Body()
	sh.o.Body = nil
	if v.Text != "" {
		s.entities[i].Add(body, v)
		delete(sh.indexes, s.entities[i])
	}
}
