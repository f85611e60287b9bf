// Package rdfa reads the elements with typeof and property of a page: RDFa
// Lite 1.1 (W3C), with the attributes about, content and datetime of RDFa Core,
// which the examples of schema.org have.
package rdfa

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Read returns the things that are the property of no other, in the order of
// the page. Names lose their vocabulary, so vocab and prefix do not matter.
// What meta elements say for social networks is no part of it.
func Read(p *page.Page) []*graph.Entity {
	r := &reader{page: p, byID: map[string]*graph.Entity{}}
	r.children(p.Doc, nil)
	r.link()
	var roots []*graph.Entity
	for _, e := range r.roots {
		if saysSomething(e) {
			roots = append(roots, e)
		}
	}
	return roots
}

func saysSomething(e *graph.Entity) bool { return len(e.Fields) > 0 || len(e.Types) > 0 }

// reader reads a page.
type reader struct {
	page  *page.Page
	roots []*graph.Entity
	byID  map[string]*graph.Entity
	// refs are the values that name a thing by its address.
	refs []ref
}

// ref is a value, the last one of a name when it was added.
type ref struct {
	owner *graph.Entity
	name  string
	at    int
}

func (r *reader) children(n *html.Node, subject *graph.Entity) {
	for c := range r.page.Children(n) {
		inner := subject
		if len(c.Attr) > 0 {
			inner = r.element(c, subject)
		}
		r.children(c, inner)
	}
}

// element reads an element and returns the thing that what is in it speaks of.
func (r *reader) element(n *html.Node, subject *graph.Entity) *graph.Entity {
	about, resource := tree.AttrOr(n, "about"), tree.AttrOr(n, "resource")
	names := namesOf(n, tree.AttrOr(n, "property"))
	types, isThing := tree.Attr(n, "typeof")
	switch {
	case isThing:
		if about != "" && resource != "" && len(names) > 0 {
			subject = r.named(n, about, true)
		}
		return r.typed(n, names, types, cmp.Or(resource, about), subject)
	case about != "":
		subject = r.named(n, about, true)
		r.property(n, names, resource, subject)
	case len(names) > 0:
		r.property(n, names, resource, subject)
	case resource != "":
		return r.named(n, resource, true)
	}
	return subject
}

// typed reads an element with typeof, which is a thing, and the value of a
// property where it is one.
func (r *reader) typed(n *html.Node, names []string, types, id string, subject *graph.Entity) *graph.Entity {
	e := r.named(n, id, len(names) == 0 || subject == nil)
	for t := range strings.FieldsSeq(types) {
		e.Types = graph.AppendType(e.Types, page.Bare(t))
	}
	for _, name := range names {
		if subject != nil {
			subject.Add(name, graph.Value{Kind: graph.Thing, Entity: e, Element: n})
		}
	}
	return e
}

// named returns the thing with an address, which may be there already, or a
// new one where id is empty. root says that it is the property of no other.
func (r *reader) named(n *html.Node, id string, root bool) *graph.Entity {
	key := r.key(id)
	if e := r.byID[key]; e != nil {
		return e
	}
	e := &graph.Entity{Source: graph.RDFa, Element: n}
	if key != "" {
		r.byID[key] = e
		if !strings.HasPrefix(key, "_:") {
			e.ID = key
		}
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

// property adds the value of an element that is no thing itself.
func (r *reader) property(n *html.Node, names []string, resource string, subject *graph.Entity) {
	if subject == nil || len(names) == 0 {
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
		subject.Add(name, v)
		if v.Kind == graph.URL && (resource != "" || strings.HasPrefix(tree.AttrOr(n, "href"), "#")) {
			r.refs = append(r.refs, ref{subject, name, len(subject.Get(name)) - 1})
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
	for _, ref := range r.refs {
		v := &ref.owner.Get(ref.name)[ref.at]
		if e := r.byID[v.Text]; e != nil && saysSomething(e) {
			*v = graph.Value{Kind: graph.Thing, Entity: e, Element: v.Element}
		}
	}
}
