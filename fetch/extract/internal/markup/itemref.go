package markup

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxRefs is how many elements an item refers to at most.
const maxRefs = 64

// refer reads what items name in their itemref. All of them are read, so that
// nothing comes back to an item that is being read.
func (r *reader) refer() {
	if len(r.referring) == 0 {
		return
	}
	elements := map[string]*html.Node{}
	for n := range r.page.Elements() {
		if id := tree.AttrOr(n, "id"); id != "" && elements[id] == nil {
			elements[id] = n
		}
	}
	r.owned = map[*graph.Entity]bool{}
	for _, e := range r.referring {
		seen := map[*html.Node]bool{}
		for id := range strings.FieldsSeq(tree.AttrOr(e.Element, "itemref")) {
			n := elements[id]
			if n == nil || len(seen) == maxRefs || seen[n] || r.around(n) == e {
				continue
			}
			seen[n] = true
			r.inherit(n, e)
		}
	}
}

// around returns the item that an element is, or that it is a part of.
func (r *reader) around(n *html.Node) (e *graph.Entity) {
	for ; n != nil && e == nil; n = n.Parent {
		r.page.Meter.Step(1)
		e = r.things[n]
	}
	return e
}

// inherit adds an element, and what is in it, to an item that refers to it.
func (r *reader) inherit(n *html.Node, e *graph.Entity) {
	names := namesOf(n, tree.AttrOr(n, r.property))
	if inner := r.things[n]; inner != nil {
		for _, name := range names {
			r.owned[inner] = true
			e.Add(name, graph.Value{Kind: graph.Thing, Entity: inner, Element: n})
		}
		return
	}
	r.add(n, names, "", e)
	for c := range r.page.Children(n) {
		r.inherit(c, e)
	}
}
