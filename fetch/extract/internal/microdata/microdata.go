// Package microdata reads the elements with itemscope of a page, as the HTML
// standard (WHATWG, section 5, Microdata) says.
package microdata

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Read returns the items that are the property of no other, in the order of
// the page. A property element outside of all items belongs to nobody and is left
// out.
func Read(p *page.Page) []*graph.Entity {
	r := &reader{page: p, items: map[*html.Node]*graph.Entity{}, owned: map[*graph.Entity]bool{}}
	r.find()
	var roots []*graph.Entity
	for _, n := range r.scopes {
		r.item(n)
	}
	for _, n := range r.scopes {
		if e := r.items[n]; !r.owned[e] && (len(e.Fields) > 0 || len(e.Types) > 0) {
			roots = append(roots, e)
		}
	}
	return roots
}

// reader reads the items of a page.
type reader struct {
	page *page.Page
	// scopes are the elements with itemscope.
	scopes []*html.Node
	// byID are the elements that an itemref names.
	byID map[string]*html.Node
	// items are those that were read, or are being read, and owned those that
	// are the property of another.
	items map[*html.Node]*graph.Entity
	owned map[*graph.Entity]bool
	// chain is how many items are being read because others refer to them.
	chain int
}

// find finds the items, and what itemref refers to.
func (r *reader) find() {
	refs := map[string]bool{}
	for n := range r.page.Elements() {
		if !isScope(n) {
			continue
		}
		r.scopes = append(r.scopes, n)
		for id := range strings.FieldsSeq(tree.AttrOr(n, "itemref")) {
			refs[id] = true
		}
	}
	if len(refs) == 0 {
		return
	}
	r.byID = make(map[string]*html.Node, len(refs))
	for n := range r.page.Elements() {
		if id := tree.AttrOr(n, "id"); refs[id] && r.byID[id] == nil {
			r.byID[id] = n
		}
	}
}

func isScope(n *html.Node) bool {
	_, ok := tree.Attr(n, "itemscope")
	return ok
}

// item returns the item of an element. One that is being read is returned as
// it is: items may contain each other through itemref.
func (r *reader) item(n *html.Node) *graph.Entity {
	if e := r.items[n]; e != nil {
		return e
	}
	e := &graph.Entity{Source: graph.Microdata, Element: n}
	r.items[n] = e
	for t := range strings.FieldsSeq(tree.AttrOr(n, "itemtype")) {
		e.Types = graph.AppendType(e.Types, page.Bare(t))
	}
	if id := strings.TrimSpace(tree.AttrOr(n, "itemid")); id != "" {
		e.ID = r.page.Resolve(id)
	}
	c := crawl{reader: r, item: e, seen: map[*html.Node]bool{n: true}}
	c.children(n)
	c.refer(tree.AttrOr(n, "itemref"))
	return e
}

const (
	// maxChain is how many items may refer to each other in a row.
	maxChain = 64
	// maxRefs is how many elements an item refers to at most.
	maxRefs = 64
)

// crawl finds the properties of an item.
type crawl struct {
	*reader
	item *graph.Entity
	// seen are the element of the item and those that it referred to.
	seen map[*html.Node]bool
}

// refer reads what an itemref names.
func (c *crawl) refer(ids string) {
	c.chain++
	refs := 0
	for id := range strings.FieldsSeq(ids) {
		if at := c.byID[id]; at != nil && refs < maxRefs && c.chain < maxChain && !c.met(at) {
			refs++
			c.element(at)
		}
	}
	c.chain--
}

// met reports whether an element was met already, as a part of the item's own
// element or of one that was referred to. Within another item inside of this one
// it was not.
func (c *crawl) met(n *html.Node) bool {
	shielded := false
	for a := n; a != nil; a = a.Parent {
		c.page.Meter.Step(1)
		if c.seen[a] {
			return !shielded
		}
		shielded = shielded || a != n && isScope(a)
	}
	c.seen[n] = true
	return false
}

func (c *crawl) children(n *html.Node) {
	for k := range c.page.Children(n) {
		c.element(k)
	}
}

func (c *crawl) element(n *html.Node) {
	scope := isScope(n)
	if names := tree.AttrOr(n, "itemprop"); names != "" {
		c.property(n, names, scope)
	}
	if !scope {
		c.children(n)
	}
}

// property adds the value of an element under each of its names.
func (c *crawl) property(n *html.Node, names string, scope bool) {
	var v graph.Value
	if scope {
		v = graph.Value{Kind: graph.Thing, Entity: c.reader.item(n), Element: n}
		c.owned[v.Entity] = true
	} else if v = c.page.Value(n); v.Text == "" {
		return
	}
	for name := range strings.FieldsSeq(names) {
		c.item.Add(page.Bare(name), v)
	}
}
