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
	e := sh.things.document
	if sh.o.Body == nil || !p.is(body) || !slices.Contains(s.entities, e) {
		return
	}
	var v graph.Value
	v.Text, v.Element, sh.bodyErr = sh.o.Body()
	sh.o.Body = nil
	if v.Text != "" {
		e.Add(body, v)
		delete(sh.indexes, e)
	}
}
