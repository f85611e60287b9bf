package microformats

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// value returns the value that an element has for a kind of property.
func (r *reader) value(n *html.Node, kind byte) graph.Value {
	if kind == 'u' && tree.Is(n, atom.A, atom.Area, atom.Link, atom.Img, atom.Audio, atom.Video, atom.Source, atom.Iframe, atom.Object) {
		return r.page.Value(n)
	}
	text := cmp.Or(r.parts(n, kind), ownText(n))
	switch {
	case kind == 'd' && text != "":
		return graph.Value{Kind: graph.Time, Text: text, Element: n}
	case kind == 'd':
		v := r.page.Value(n)
		v.Kind = graph.Time
		return v
	}
	text = cmp.Or(text, r.page.Full(n))
	if kind == 'u' && strings.ContainsAny(text, "/.:") && !strings.ContainsAny(text, " \n") {
		return r.page.Link(n, text)
	}
	return r.page.Word(n, text)
}

// ownText returns the text that an element has in an attribute instead of inside.
func ownText(n *html.Node) string {
	switch n.DataAtom {
	case atom.Abbr, atom.Link:
		return strings.TrimSpace(tree.AttrOr(n, "title"))
	case atom.Data, atom.Input:
		return strings.TrimSpace(tree.AttrOr(n, "value"))
	case atom.Img, atom.Area:
		return strings.TrimSpace(tree.AttrOr(n, "alt"))
	}
	return ""
}

// maxParts is how many elements with the class value make one value.
const maxParts = 16

// parts returns what the elements with the class value in n say together, and
// the attribute title of those with value-title: the value class pattern.
// Those of a time are joined by a "T" after the date.
func (r *reader) parts(n *html.Node, kind byte) string {
	var all []string
	for d := range r.page.Meter.Below(n) {
		if d.Type != html.ElementNode || len(all) == maxParts {
			continue
		}
		s := ""
		switch {
		case tree.HasClass(d, "value-title"):
			s = tree.AttrOr(d, "title")
		case tree.HasClass(d, "value"):
			s = cmp.Or(strings.TrimSpace(tree.AttrOr(d, "datetime")), ownText(d), r.page.Full(d))
		}
		if s != "" {
			all = append(all, s)
		}
	}
	if kind == 'd' && len(all) > 1 {
		all[0] += "T"
	}
	return strings.Join(all, "")
}

// imply adds the name, photo and address that a thing has without a class for
// them, as its element says or the only one in it.
func (r *reader) imply(n *html.Node, in *item) {
	for _, e := range []*html.Node{n, r.onlyChild(n)} {
		if e == nil {
			continue
		}
		name := map[atom.Atom]string{atom.Img: "photo", atom.A: "url"}[e.DataAtom]
		if v := r.page.Value(e); !in.addresses && in.Get(name) == nil && v.Kind == graph.URL && v.Text != "" {
			in.Add(name, v)
		}
		if text := ownText(e); !in.texts && in.Get("name") == nil && text != "" {
			in.Add("name", r.page.Word(e, text))
		}
	}
	if v := r.page.Word(n, r.page.Full(n)); !in.texts && in.Get("name") == nil && v.Text != "" && len(v.Text) <= maxName {
		in.Add("name", v)
	}
}

// maxName is how long a name is at most, in bytes, that is all the text of a thing: an
// article is none.
const maxName = 300

func (r *reader) onlyChild(n *html.Node) (only *html.Node) {
	for c := range r.page.Children(n) {
		if only != nil || len(classesOf(tree.AttrOr(c, "class"), nil).types) > 0 {
			return nil
		}
		only = c
	}
	return only
}
