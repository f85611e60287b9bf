package microformats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// property adds the value of an element to the thing that it is in.
func (r *reader) property(n *html.Node, p property, in *item) {
	if in == nil {
		return
	}
	var v graph.Value
	switch p.kind {
	case 'u':
		in.addresses = true
		if v = r.address(n); p.name == "identifier" && !tree.Is(n, atom.A, atom.Link, atom.Data) {
			v = r.text(n)
		}
	case 'd':
		v = r.time(n)
	default:
		in.texts = true
		v = r.text(n)
	}
	if v.Text != "" {
		in.say(p.name, v)
	}
}

func (r *reader) text(n *html.Node) graph.Value {
	if s := r.parts(n, ""); s != "" {
		return r.page.Word(n, s)
	}
	for _, a := range [...]struct {
		key string
		of  []atom.Atom
	}{{"title", []atom.Atom{atom.Abbr, atom.Link}}, {"value", []atom.Atom{atom.Data, atom.Input}}, {"alt", []atom.Atom{atom.Img, atom.Area}}} {
		if s, ok := tree.Attr(n, a.key); ok && tree.Is(n, a.of...) {
			return r.page.Word(n, s)
		}
	}
	return r.page.Word(n, r.page.Full(n))
}

func (r *reader) address(n *html.Node) graph.Value {
	for _, a := range [...]struct {
		key string
		of  []atom.Atom
	}{
		{"href", []atom.Atom{atom.A, atom.Area, atom.Link}},
		{"src", []atom.Atom{atom.Img, atom.Audio, atom.Video, atom.Source, atom.Iframe}},
		{"poster", []atom.Atom{atom.Video}}, {"data", []atom.Atom{atom.Object}},
	} {
		if ref, ok := tree.Attr(n, a.key); ok && tree.Is(n, a.of...) {
			return r.page.Link(n, ref)
		}
	}
	v := r.text(n)
	if v.Text != "" && !strings.ContainsAny(v.Text, " \n") {
		return r.page.Link(n, v.Text)
	}
	return v
}

func (r *reader) time(n *html.Node) graph.Value {
	if s := r.parts(n, "T"); s != "" {
		return graph.Value{Kind: graph.Time, Text: s, Element: n}
	}
	s, ok := tree.Attr(n, "datetime")
	if !ok && n.DataAtom == atom.Abbr {
		s, ok = tree.Attr(n, "title")
	}
	if !ok {
		return graph.Value{Kind: graph.Time, Text: r.page.Full(n), Element: n}
	}
	v := graph.Value{Kind: graph.Time, Text: strings.TrimSpace(s), Element: n}
	if shown := r.page.Shown(n); shown != v.Text {
		v.Shown = shown
	}
	return v
}

// maxParts is how many elements with the class value make one value.
const maxParts = 16

// parts returns what the elements with the class value in n say together, and
// the attribute title of those with value-title: the value class pattern.
// Those of a time are joined by a "T" after the date.
func (r *reader) parts(n *html.Node, joint string) string {
	var b strings.Builder
	found := 0
	for d := range r.page.Meter.Below(n) {
		if d.Type != html.ElementNode || found == maxParts {
			continue
		}
		s := ""
		switch {
		case tree.HasClass(d, "value-title"):
			s = tree.AttrOr(d, "title")
		case tree.HasClass(d, "value"):
			s = r.part(d)
		}
		if s == "" {
			continue
		}
		if found++; found == 2 {
			b.WriteString(joint)
		}
		b.WriteString(s)
	}
	return b.String()
}

func (r *reader) part(n *html.Node) string {
	for _, key := range [...]string{"datetime", "value", "alt"} {
		if s, ok := tree.Attr(n, key); ok {
			return strings.TrimSpace(s)
		}
	}
	if s, ok := tree.Attr(n, "title"); ok && n.DataAtom == atom.Abbr {
		return strings.TrimSpace(s)
	}
	return r.page.Full(n)
}

// imply adds the name, photo and address that a thing has without a class for
// them.
func (r *reader) imply(n *html.Node, in *item) {
	only := onlyElement(n)
	if in.Get("name") == nil && !in.texts && !in.things {
		if name := r.impliedName(n, only); name.Text != "" {
			in.Add("name", name)
		}
	}
	if in.Get("photo") == nil && !in.addresses && !in.things {
		if img := first(n, only, atom.Img); img != nil {
			in.Add("photo", r.page.Link(img, tree.AttrOr(img, "src")))
		}
	}
	if in.Get("url") == nil && !in.addresses && !in.things {
		if a := first(n, only, atom.A); a != nil && tree.AttrOr(a, "href") != "" {
			in.Add("url", r.page.Link(a, tree.AttrOr(a, "href")))
		}
	}
}

func (r *reader) impliedName(n, only *html.Node) graph.Value {
	for _, e := range [...]*html.Node{n, only} {
		if e == nil {
			continue
		}
		if alt := tree.AttrOr(e, "alt"); alt != "" && tree.Is(e, atom.Img, atom.Area) {
			return r.page.Word(e, alt)
		}
		if title := tree.AttrOr(e, "title"); title != "" && e.DataAtom == atom.Abbr {
			return r.page.Word(e, title)
		}
	}
	return r.page.Word(n, r.page.Full(n))
}

// first returns the element itself or its only child, if it is of the name.
func first(n, only *html.Node, name atom.Atom) *html.Node {
	switch {
	case n.DataAtom == name:
		return n
	case tree.Is(only, name) && !hasType(only):
		return only
	}
	var found *html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if tree.Is(c, name) && !hasType(c) {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

func hasType(n *html.Node) bool { return len(classesOf(tree.AttrOr(n, "class"), nil).types) > 0 }

func onlyElement(n *html.Node) *html.Node {
	var only *html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}
