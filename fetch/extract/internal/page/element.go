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
		return p.Content(n, content)
	}
	switch n.DataAtom {
	case atom.Audio, atom.Embed, atom.Iframe, atom.Source, atom.Track, atom.Video:
		return p.linked(n, "src")
	case atom.Img:
		return p.image(n)
	case atom.A, atom.Area, atom.Link:
		return p.linked(n, "href")
	case atom.Object:
		return p.linked(n, "data")
	case atom.Data, atom.Meter:
		if value, ok := tree.Attr(n, "value"); ok {
			return p.shownAs(p.Word(n, value))
		}
	case atom.Time:
		return p.time(n)
	case atom.Meta:
		return graph.Value{Element: n}
	}
	return p.Word(n, p.Full(n))
}

// Content returns the value of an attribute content, beside which a reader may
// see something else.
func (p *Page) Content(n *html.Node, content string) graph.Value {
	p.Meter.Read(len(content))
	v := p.Word(n, p.OfAttribute(content))
	if n.DataAtom == atom.Time {
		v.Kind = graph.Time
	}
	return p.shownAs(v)
}

// shownAs sets what a reader sees of a value where that is another text.
func (p *Page) shownAs(v graph.Value) graph.Value {
	if v.Element.FirstChild != nil {
		if shown := p.Shown(v.Element); shown != v.Text {
			v.Shown = shown
		}
	}
	return v
}

// linked returns the address in an attribute. A link without one is its text.
func (p *Page) linked(n *html.Node, key string) graph.Value {
	ref, ok := tree.Attr(n, key)
	if ref = strings.TrimSpace(ref); !ok || ref == "" {
		return p.Word(n, p.Full(n))
	}
	return p.shownAs(p.Link(n, ref))
}

// image returns the address of an image, which may be that of one that is
// loaded later.
func (p *Page) image(n *html.Node) graph.Value {
	src := strings.TrimSpace(tree.AttrOr(n, "src"))
	if src == "" || strings.HasPrefix(src, "data:") {
		for _, key := range [...]string{"data-src", "data-lazy-src", "data-original"} {
			if late := strings.TrimSpace(tree.AttrOr(n, key)); late != "" {
				src = late
				break
			}
		}
	}
	v := graph.Value{Kind: graph.URL, Element: n}
	if src != "" {
		v.Text = p.Links.Resolve(src)
	}
	return v
}

func (p *Page) time(n *html.Node) graph.Value {
	if given, ok := tree.Attr(n, "datetime"); ok {
		return p.shownAs(graph.Value{Kind: graph.Time, Text: strings.TrimSpace(given), Element: n})
	}
	return graph.Value{Kind: graph.Time, Text: p.Full(n), Element: n}
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
