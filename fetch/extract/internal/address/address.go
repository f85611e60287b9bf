// Package address looks for the number of what a page is about in the page's
// own address. A number counts only if it also stands on the page as a whole
// value: in a field, an attribute for scripts, a meta element, or in the data
// of a script under a name for numbers. Nothing else tells a number from a
// year, a size or a version.
package address

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxScripts is how much of all scripts is looked through, in bytes.
const maxScripts = 2 << 20

// Read returns a thing that stands for the page and has the number as
// [graph.AddressNumber], or nothing.
func Read(p *page.Page) []*graph.Entity {
	r := &reader{page: p, scripts: maxScripts}
	r.addresses()
	if len(r.candidates) == 0 {
		return nil
	}
	for n := range p.Elements() {
		r.element(n)
	}
	best := r.best()
	if best == nil {
		return nil
	}
	e := &graph.Entity{Source: graph.Document, Element: best.at.Element}
	e.Add(graph.AddressNumber, best.at)
	return []*graph.Entity{e}
}

type reader struct {
	page       *page.Page
	candidates []*candidate
	scripts    int
}

// candidate is a number in an address.
type candidate struct {
	text   string
	weight int // how likely its place in the address makes it the number
	// named says that a name for numbers was found for it, and at is where it
	// stands on the page.
	named bool
	at    graph.Value
}

// addresses collects what the addresses of the page have: where it was fetched
// from, and what it says is its own.
func (r *reader) addresses() {
	if r.page.URL != nil {
		r.address(r.page.URL.String())
	}
	for n := range r.page.Elements() {
		switch {
		case n.DataAtom == atom.Body:
			return
		case n.DataAtom == atom.Link && strings.EqualFold(tree.AttrOr(n, "rel"), "canonical"):
			r.address(r.page.Links.Resolve(tree.AttrOr(n, "href")))
		case n.DataAtom == atom.Meta && tree.AttrOr(n, "property") == "og:url":
			r.address(r.page.Links.Resolve(tree.AttrOr(n, "content")))
		}
	}
}

// element looks for the numbers in the attributes of an element, or in a
// script.
func (r *reader) element(n *html.Node) {
	if n.DataAtom == atom.Script {
		r.script(n)
		return
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		if name, ok := nameOf(n, a.Key); ok {
			r.whole(strings.TrimSpace(a.Val), name, n)
		}
	}
}

// nameOf returns what the value of an attribute is called, if it is one that
// holds data.
func nameOf(n *html.Node, key string) (name string, ok bool) {
	switch {
	case strings.HasPrefix(key, "data-"):
		return key, true
	case key == "content":
		return cmp.Or(tree.AttrOr(n, "property"), tree.AttrOr(n, "name"), tree.AttrOr(n, "itemprop")), true
	case key == "value" && tree.Is(n, atom.Input, atom.Option, atom.Button):
		return cmp.Or(tree.AttrOr(n, "name"), tree.AttrOr(n, "id")), true
	}
	return "", false
}

// whole counts a value that is one of the numbers.
func (r *reader) whole(s, name string, n *html.Node) {
	if len(s) < leastSize || len(s) > maxSize {
		return
	}
	r.page.Meter.Step(1)
	for _, c := range r.candidates {
		if len(c.text) == len(s) && strings.EqualFold(c.text, s) {
			c.found(graph.Value{Text: s, Shown: name, Element: n}, isNumberName(name))
		}
	}
}

func (c *candidate) found(at graph.Value, named bool) {
	if c.at.Element == nil || named && !c.named {
		c.at = at
	}
	c.named = c.named || named
}

// script looks for the numbers in a script, each as the whole value of a name
// for numbers.
func (r *reader) script(n *html.Node) {
	text := tree.TextOf(n)
	if len(text) > r.scripts {
		return
	}
	r.scripts -= len(text)
	for _, c := range r.candidates {
		if c.named {
			continue
		}
		r.page.Meter.Read(len(text))
		if name := nameInScript(text, c.text); name != "" {
			c.found(graph.Value{Text: c.text, Shown: name, Source: graph.State, Element: n}, true)
		}
	}
}

// best returns the number with the likeliest place in the address, of those
// that stand on the page; short ones only under a name for numbers.
func (r *reader) best() (best *candidate) {
	most := 0
	for _, c := range r.candidates {
		points := c.weight
		if c.named {
			points++
		}
		if c.at.Element != nil && (c.named || len(c.text) >= safeSize) && points > most {
			best, most = c, points
		}
	}
	return best
}
