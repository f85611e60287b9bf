// Package microformats reads the elements with classes such as h-entry of a
// page, as the parsing specification of microformats2 (microformats.org) says,
// and the older hCard, hReview, hRecipe and hProduct in terms of it.
package microformats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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
	old map[string]string
	// texts, addresses and things say what kinds of properties there are; less
	// is implied then.
	texts, addresses, things bool
}

func (r *reader) children(n *html.Node, in *item) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.page.Meter.Step(1)
		if c.Type == html.ElementNode && c.DataAtom != atom.Template {
			r.element(c, in)
		}
	}
}

func (r *reader) element(n *html.Node, in *item) {
	class := tree.AttrOr(n, "class")
	if class == "" {
		r.children(n, in)
		return
	}
	c := classesOf(class, in)
	if len(c.types) == 0 {
		for _, p := range c.properties {
			r.property(n, p, in)
		}
		r.children(n, in)
		return
	}
	r.thing(n, c, in)
}

// thing reads an element that is a thing: the value of the properties that it
// is marked as, or else one of the children of the thing around it.
func (r *reader) thing(n *html.Node, c classes, in *item) {
	e := &graph.Entity{Source: graph.Microformats, Types: c.types, Element: n}
	inner := &item{Entity: e, old: c.old}
	r.children(n, inner)
	if c.old == nil {
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
	for class := range strings.FieldsSeq(tree.AttrOr(n, "class")) {
		switch class {
		case "author", "comment-author", "post-author", "entry-author", "reviewer":
			return true
		}
	}
	return false
}

// property is a class that names one: 'p' a text, 'u' an address, 'd' a time,
// 'e' a text with markup.
type property struct {
	kind byte
	name string
}

// classes are what the class attribute of an element says.
type classes struct {
	types      []string
	properties []property
	old        map[string]string
}

func classesOf(class string, in *item) (c classes) {
	for name := range strings.FieldsSeq(class) {
		if old := formats[name]; old.properties != nil && c.old == nil {
			c.old = old.properties
			c.types = append(c.types, old.name)
		}
		if in != nil && in.old != nil {
			if p := in.old[name]; p != "" {
				c.properties = append(c.properties, property{p[0], p[2:]})
			}
			continue
		}
		if len(name) > 2 && name[1] == '-' || strings.HasPrefix(name, "dt-") {
			c.prefixed(name, in != nil)
		}
	}
	return c
}

// prefixed reads a class of microformats2. Frameworks have classes that look
// alike: h-100, p-3. Only a name of lower-case letters counts.
func (c *classes) prefixed(class string, inside bool) {
	prefix, name, _ := strings.Cut(class, "-")
	if !isName(name) {
		return
	}
	switch {
	case prefix == "h" && roots[name]:
		c.types = append(c.types, name)
	case inside && (prefix == "p" || prefix == "u" || prefix == "e" || prefix == "dt"):
		c.properties = append(c.properties, property{prefix[0], name})
	}
}

// roots are the things of microformats2; others are the classes of styles.
var roots = map[string]bool{
	"adr": true, "card": true, "entry": true, "event": true, "feed": true, "geo": true, "item": true, "listing": true,
	"product": true, "recipe": true, "resume": true, "review": true, "review-aggregate": true, "cite": true, "app": true, "measure": true,
}

func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && c != '-' && (c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && s[0] >= 'a' && s[0] <= 'z' && s[len(s)-1] != '-'
}
