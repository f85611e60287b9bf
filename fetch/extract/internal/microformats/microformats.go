// Package microformats reads the elements with classes such as h-entry of a
// page, as the parsing specification of microformats2 (microformats.org) says,
// and the older hCard, hReview, hRecipe and hProduct in terms of it.
package microformats

import (
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Read returns the things that are the property of no other, in the order of
// the page. Types and properties lose their prefix: h-entry with p-name is a
// thing of the type "entry" with "name".
func Read(p *page.Page) []*graph.Entity {
	r := &reader{page: p}
	r.children(p.Doc, nil)
	return r.roots
}

type reader struct {
	page  *page.Page
	roots []*graph.Entity
}

// item is a thing whose element is being read.
type item struct {
	*graph.Entity
	// old holds the property classes of an older format, else nil.
	old map[string]property
	// texts, addresses and things say what kinds of properties there are; less
	// is implied then.
	texts, addresses, things bool
}

func (r *reader) children(n *html.Node, in *item) {
	for c := range r.page.Children(n) {
		class := classesOf(tree.AttrOr(c, "class"), in)
		if len(class.types) > 0 {
			r.thing(c, class, in)
			continue
		}
		for _, p := range class.properties {
			in.texts, in.addresses = in.texts || p.kind == 'p' || p.kind == 'e', in.addresses || p.kind == 'u'
			if v := r.value(c, p.kind); v.Text != "" {
				in.say(p.name, v)
			}
		}
		r.children(c, in)
	}
}

// thing reads an element that is a thing: the value of the properties that it
// is marked as, or else one of the children of the thing around it.
func (r *reader) thing(n *html.Node, c classes, in *item) {
	e := &graph.Entity{Source: graph.Microformats, Types: c.types, Element: n}
	inner := &item{Entity: e, old: c.old}
	r.children(n, inner)
	if c.old == nil && !inner.things {
		r.imply(n, inner)
	}
	if len(e.Fields) == 0 {
		return
	}
	if in == nil {
		if !isWriter(n) {
			r.roots = append(r.roots, e)
		}
		return
	}
	in.things = true
	v := graph.Value{Kind: graph.Thing, Entity: e, Element: n}
	if len(c.properties) == 0 {
		in.Add("children", v)
	}
	for _, p := range c.properties {
		in.say(p.name, v)
	}
}

// isWriter reports whether a card is that of who wrote an article or left a
// comment, of which nothing else is described: it is no thing that a page is
// about.
func isWriter(n *html.Node) bool {
	for class := range tree.Classes(n) {
		switch class {
		case "author", "comment-author", "post-author", "entry-author", "reviewer":
			return true
		}
	}
	return false
}
