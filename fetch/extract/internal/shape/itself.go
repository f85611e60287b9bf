package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// body is the name of the field in which the document has the text of the page's
// content, as schema.org calls that of an article.
const body = "articleBody"

// addItself has it decided what the page says of itself when a property asks for that
// first.
func (sh *shaper) addItself(p *prop, s scope) {
	e := sh.things.itself
	if sh.o.Itself == nil || !p.of("itself") || !slices.Contains(s.entities, e) {
		return
	}
	if itself := sh.o.Itself(); itself != nil {
		e.Fields = itself.Fields
	}
	sh.o.Itself = nil
}

// mayBeOfPage reports whether a property may ask for what is decided of the page. Events
// and jobs have dates and titles of their own.
func (p *prop) mayBeOfPage() bool { return p.kind != ofEvent && p.kind != ofJob }

// isHeadline reports whether a property asks for the title of a page or a text, and not for
// the name of a thing.
func (p *prop) isHeadline() bool { return p.titleOf() == "" && slices.Contains(p.concepts, "headline") }

// notItself is 0 for what is decided of the page, else 1.
func (sh *shaper) notItself(c candidate) int {
	if c.entity == sh.things.itself {
		return 0
	}
	return 1
}

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
