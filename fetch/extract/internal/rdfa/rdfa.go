// Package rdfa reads the elements with typeof and property of a page: RDFa
// Lite 1.1 (W3C), with the attributes about, content and datetime of RDFa Core,
// which the examples of schema.org have.
package rdfa

import (
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
		if len(e.Fields) > 0 || len(e.Types) > 0 {
			roots = append(roots, e)
		}
	}
	return roots
}

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
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.page.Meter.Step(1)
		if c.Type == html.ElementNode && c.DataAtom != atom.Template {
			r.element(c, subject)
		}
	}
}

// marks are the attributes of RDFa on an element.
type marks struct {
	property, types, about, resource string
	hasTypes, hasAbout, hasRes       bool
}

func marksOf(n *html.Node) (m marks) {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "property":
			m.property = a.Val
		case "typeof":
			m.types, m.hasTypes = a.Val, true
		case "about":
			m.about, m.hasAbout = a.Val, true
		case "resource":
			m.resource, m.hasRes = a.Val, true
		}
	}
	return m
}

func (r *reader) element(n *html.Node, subject *graph.Entity) {
	m := marksOf(n)
	inner := subject
	switch {
	case m.hasTypes:
		inner = r.typed(n, m, subject)
	case m.hasAbout:
		inner = r.named(n, m.about, true)
		r.property(n, m, inner)
	case m.property != "":
		r.property(n, m, subject)
	case m.hasRes:
		inner = r.named(n, m.resource, true)
	}
	r.children(n, inner)
}

// typed reads an element with typeof, which is a thing, and the value of a
// property where it is one.
func (r *reader) typed(n *html.Node, m marks, subject *graph.Entity) *graph.Entity {
	if m.hasAbout && m.property != "" && m.hasRes {
		subject = r.named(n, m.about, true)
	}
	names := r.names(n, m.property)
	id := m.resource
	if !m.hasRes {
		id = m.about
	}
	e := r.named(n, id, len(names) == 0 || subject == nil)
	for t := range strings.FieldsSeq(m.types) {
		if t = page.Bare(t); t != "" && len(e.Types) < maxTypes && !e.Is(t) {
			e.Types = append(e.Types, t)
		}
	}
	if subject == nil {
		return e
	}
	for _, name := range names {
		subject.Add(name, graph.Value{Kind: graph.Thing, Entity: e, Element: n})
	}
	return e
}

// maxTypes is how many types a thing has at most.
const maxTypes = 16

// named returns the thing with an address, which may be there already, or a
// new one where id is empty. root says that it is the property of no other.
func (r *reader) named(n *html.Node, id string, root bool) *graph.Entity {
	key := ""
	if id = strings.Trim(id, " \t\r\n[]"); id != "" {
		key = r.key(id)
		if e := r.byID[key]; e != nil {
			return e
		}
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
func (r *reader) property(n *html.Node, m marks, subject *graph.Entity) {
	names := r.names(n, m.property)
	if subject == nil || len(names) == 0 {
		return
	}
	v := r.value(n, m)
	if v.Text == "" {
		return
	}
	for _, name := range names {
		subject.Add(name, v)
		if v.Kind == graph.URL && (m.hasRes || strings.HasPrefix(tree.AttrOr(n, "href"), "#")) {
			r.refs = append(r.refs, ref{subject, name, len(subject.Get(name)) - 1})
		}
	}
}

func (r *reader) value(n *html.Node, m marks) graph.Value {
	if _, ok := tree.Attr(n, "content"); ok {
		return r.page.Value(n)
	}
	if m.hasRes {
		return graph.Value{Kind: graph.URL, Text: r.key(m.resource), Element: n}
	}
	if href := tree.AttrOr(n, "href"); href != "" {
		v := r.page.Link(n, href)
		if shown := r.page.Shown(n); shown != v.Text {
			v.Shown = shown
		}
		return v
	}
	return r.page.Value(n)
}

// names returns the names of properties without their vocabulary, those of
// social networks left out.
func (r *reader) names(n *html.Node, property string) (names []string) {
	for name := range strings.FieldsSeq(property) {
		if n.DataAtom == atom.Meta && isSocial(name) {
			continue
		}
		if name = page.Bare(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// isSocial reports whether the name of a meta element is for social networks.
func isSocial(name string) bool {
	prefix, _, ok := strings.Cut(name, ":")
	if !ok {
		return false
	}
	switch prefix {
	case "og", "article", "book", "profile", "product", "music", "video", "fb", "twitter", "al", "place", "business", "restaurant":
		return true
	}
	return false
}

// link puts things in the place of their addresses.
func (r *reader) link() {
	for _, ref := range r.refs {
		v := &ref.owner.Get(ref.name)[ref.at]
		if e := r.byID[v.Text]; e != nil && (len(e.Fields) > 0 || len(e.Types) > 0) {
			*v = graph.Value{Kind: graph.Thing, Entity: e, Element: v.Element}
		}
	}
}
