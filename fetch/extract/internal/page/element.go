package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Value returns the value of an element that is marked as a property: by the
// kind of element an attribute of it, as the HTML standard says for Microdata,
// or else its text. An attribute content counts for every element, as pages
// and the examples of schema.org have it. Its text is "" if there is none.
func (p *Page) Value(n *html.Node) graph.Value {
	if content, ok := tree.Attr(n, "content"); ok {
		p.Meter.Read(len(content))
		v := p.Word(n, p.OfAttribute(content))
		if n.DataAtom == atom.Time {
			v.Kind = graph.Time
		}
		return p.ShownAs(v)
	}
	switch n.DataAtom {
	case atom.Img:
		return p.Link(n, ImageAddress(n))
	case atom.Data, atom.Meter:
		if value, ok := tree.Attr(n, "value"); ok {
			return p.ShownAs(p.Word(n, value))
		}
	case atom.Time:
		if at, ok := tree.Attr(n, "datetime"); ok {
			return p.ShownAs(graph.Value{Kind: graph.Time, Text: strings.TrimSpace(at), Element: n})
		}
		return graph.Value{Kind: graph.Time, Text: p.Full(n), Element: n}
	case atom.Meta:
		return graph.Value{Element: n}
	}
	for _, key := range links[n.DataAtom] {
		if ref := strings.TrimSpace(tree.AttrOr(n, key)); ref != "" && !strings.HasPrefix(ref, "data:") {
			return p.ShownAs(p.Link(n, ref))
		}
	}
	return p.Word(n, p.Full(n))
}

// links are the attributes by which elements have an address. That of an image may
// be one that is loaded later.
var links = map[atom.Atom][]string{
	atom.A: {"href"}, atom.Area: {"href"}, atom.Link: {"href"}, atom.Object: {"data"}, atom.Img: {"src", "data-src", "data-lazy-src", "data-original"},
	atom.Audio: {"src"}, atom.Embed: {"src"}, atom.Iframe: {"src"}, atom.Source: {"src"}, atom.Track: {"src"}, atom.Video: {"src"},
}

// ShownAs returns a value with what a reader sees of it where that is another text.
func (p *Page) ShownAs(v graph.Value) graph.Value {
	if v.Element.FirstChild != nil {
		if shown := p.Shown(v.Element); shown != v.Text {
			v.Shown = shown
		}
	}
	return v
}

// ImageAddress returns the address that a browser would load for an image in the
// end: pages keep it elsewhere until the image comes into view. It is "" for what
// is too small to be seen.
func ImageAddress(n *html.Node) string {
	for _, size := range [...]string{tree.AttrOr(n, "width"), tree.AttrOr(n, "height")} {
		if size == "0" || size == "1" || size == "1px" {
			return ""
		}
	}
	for _, key := range [...]string{"data-src", "data-original", "data-lazy-src", "src", "data-lazy", "data-image", "data-url"} {
		if v := strings.TrimSpace(strings.ToValidUTF8(tree.AttrOr(n, key), "\uFFFD")); v != "" && !strings.HasPrefix(v, "data:") {
			return v
		}
	}
	for _, set := range [...]string{"srcset", "data-srcset", "data-lazy-srcset"} {
		for first := range strings.FieldsSeq(strings.TrimLeft(strings.ToValidUTF8(tree.AttrOr(n, set), "\uFFFD"), " ,\t\n")) {
			return strings.TrimRight(first, ",")
		}
	}
	return ""
}

// Bare returns the name of a property or a type without its vocabulary: what
// stands behind the last slash or hash of an address, or the prefix.
func Bare(name string) string {
	name = strings.TrimRight(strings.TrimSpace(name), "/#")
	if i := strings.LastIndexAny(name, "/#"); i >= 0 {
		return name[i+1:]
	}
	if _, after, ok := strings.Cut(name, ":"); ok && after != "" {
		return after
	}
	return name
}

// IsBlock reports whether an element begins a line and ends it: block elements
// and the parts of tables.
func IsBlock(n *html.Node) bool { return tree.IsBlock(n) || tree.Is(n, atom.Body, atom.Option) }

// IsSilent reports whether an element has no text for a reader, whatever the
// styles are: scripts, styles, templates, the head's elements.
func IsSilent(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Title, atom.Noscript, atom.Noframes, atom.Noembed, atom.Iframe,
		atom.Object, atom.Audio, atom.Video, atom.Canvas, atom.Datalist, atom.Textarea, atom.Base, atom.Link, atom.Meta,
		atom.Param, atom.Source, atom.Track, atom.Svg:
		return n.Namespace == "" || n.DataAtom == atom.Svg || n.DataAtom == atom.Style || n.DataAtom == atom.Script
	}
	return false
}
