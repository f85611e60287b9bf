// Package markup reads the elements of a page that are marked as things and as
// their properties: Microdata, as the HTML standard (WHATWG, section 5) says, and
// RDFa Lite 1.1 (W3C), with the attributes about, content and datetime of RDFa
// Core, which the examples of schema.org have.
package markup

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Microdata returns the items that are the property of no other, in the order of
// the page. A property element outside of all items belongs to nobody and is left
// out.
func Microdata(p *page.Page) []*graph.Entity {
	return read(p, form{source: graph.Microdata, thing: "itemscope", types: "itemtype", property: "itemprop", id: "itemid"})
}

// RDFa returns the things that are the property of no other, in the order of
// the page. Names lose their vocabulary, so vocab and prefix do not matter.
// What meta elements say for social networks is no part of it.
func RDFa(p *page.Page) []*graph.Entity {
	return read(p, form{source: graph.RDFa, thing: "typeof", types: "typeof", property: "property", id: "resource", about: "about"})
}

// form is the names of the attributes of a way to mark things.
type form struct {
	source                            graph.Source
	thing, types, property, id, about string
}

func read(p *page.Page, f form) []*graph.Entity {
	r := &reader{form: f, page: p, byID: map[string]*graph.Entity{}, things: map[*html.Node]*graph.Entity{}}
	r.children(p.Doc, nil)
	r.link()
	r.refer()
	return slices.DeleteFunc(r.roots, func(e *graph.Entity) bool { return r.owned[e] || !saysSomething(e) })
}

func saysSomething(e *graph.Entity) bool { return len(e.Fields) > 0 || len(e.Types) > 0 }

// reader reads a page.
type reader struct {
	form
	page  *page.Page
	roots []*graph.Entity
	// byID are the things of RDFa that have an address, and links the values that
	// name one by it.
	byID  map[string]*graph.Entity
	links []link
	// things are the items of Microdata by their elements, and referring those with
	// an itemref, by which they own others.
	things    map[*html.Node]*graph.Entity
	referring []*graph.Entity
	owned     map[*graph.Entity]bool
}

// link is a value, the last one of a name when it was added.
type link struct {
	owner *graph.Entity
	name  string
	at    int
}

func (r *reader) children(n *html.Node, in *graph.Entity) {
	for c := range r.page.Children(n) {
		inner := in
		if len(c.Attr) > 0 {
			inner = r.element(c, in)
		}
		r.children(c, inner)
	}
}

// element reads an element, and returns the thing that what is in it speaks of.
func (r *reader) element(n *html.Node, in *graph.Entity) *graph.Entity {
	names := namesOf(n, tree.AttrOr(n, r.property))
	_, isThing := tree.Attr(n, r.thing)
	id, about := tree.AttrOr(n, r.id), tree.AttrOr(n, r.about)
	switch {
	case r.source == graph.Microdata && !isThing:
		id = ""
	case isThing:
		if about != "" && id != "" && len(names) > 0 {
			in = r.named(n, about, true)
		}
		return r.thingAt(n, names, cmp.Or(id, about), in)
	case about != "":
		in = r.named(n, about, true)
	case len(names) == 0 && id != "":
		return r.named(n, id, true)
	}
	r.add(n, names, id, in)
	return in
}

// thingAt reads an element that is a thing, and the value of a property where it
// is one.
func (r *reader) thingAt(n *html.Node, names []string, id string, in *graph.Entity) *graph.Entity {
	e := r.named(n, id, len(names) == 0 || in == nil)
	for t := range strings.FieldsSeq(tree.AttrOr(n, r.types)) {
		e.Types = graph.AppendType(e.Types, page.Bare(t))
	}
	for _, name := range names {
		if in != nil {
			in.Add(name, graph.Value{Kind: graph.Thing, Entity: e, Element: n})
		}
	}
	if r.source == graph.Microdata {
		if r.things[n] = e; tree.AttrOr(n, "itemref") != "" {
			r.referring = append(r.referring, e)
		}
	}
	return e
}

// named returns the thing with an address, which in RDFa may be there already, or
// a new one. root says that it is the property of no other.
func (r *reader) named(n *html.Node, id string, root bool) *graph.Entity {
	key := r.key(id)
	if e := r.byID[key]; e != nil {
		return e
	}
	e := &graph.Entity{Source: r.source, Element: n}
	if key != "" && r.source == graph.RDFa {
		r.byID[key] = e
	}
	if !strings.HasPrefix(key, "_:") {
		e.ID = key
	}
	if root {
		r.roots = append(r.roots, e)
	}
	return e
}

func (r *reader) key(id string) string {
	if id = strings.Trim(id, " \t\r\n[]"); strings.HasPrefix(id, "_:") {
		return id
	}
	return r.page.Resolve(id)
}

// add adds the value of an element that is no thing itself. resource is the
// address that it names instead of what is in it.
func (r *reader) add(n *html.Node, names []string, resource string, in *graph.Entity) {
	if in == nil || len(names) == 0 {
		return
	}
	v := r.page.Value(n)
	if _, ok := tree.Attr(n, "content"); !ok && resource != "" {
		v = graph.Value{Kind: graph.URL, Text: r.key(resource), Element: n}
	}
	if v.Text == "" {
		return
	}
	for _, name := range names {
		in.Add(name, v)
		if v.Kind == graph.URL && (resource != "" || strings.HasPrefix(tree.AttrOr(n, "href"), "#")) {
			r.links = append(r.links, link{in, name, len(in.Get(name)) - 1})
		}
	}
}

// namesOf returns the names of properties without their vocabulary, those of
// social networks left out.
func namesOf(n *html.Node, property string) (names []string) {
	for name := range strings.FieldsSeq(property) {
		if prefix, _, ok := strings.Cut(name, ":"); ok && n.DataAtom == atom.Meta && social[prefix] {
			continue
		}
		if name = page.Bare(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// social are the prefixes of what meta elements say for social networks.
var social = map[string]bool{"og": true, "article": true, "book": true, "profile": true, "product": true, "music": true, "video": true,
	"fb": true, "twitter": true, "al": true, "place": true, "business": true, "restaurant": true}

// link puts things in the place of their addresses.
func (r *reader) link() {
	for _, l := range r.links {
		v := &l.owner.Get(l.name)[l.at]
		if e := r.byID[v.Text]; e != nil && saysSomething(e) {
			*v = graph.Value{Kind: graph.Thing, Entity: e, Element: v.Element}
		}
	}
}
