package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// head is what the elements of a page say about it that no vocabulary is for.
type head struct {
	language, title, heading string
	// first is the element of the heading, one of so many of the first level.
	first    *html.Node
	headings int
	// around are the elements that the first heading is in.
	around map[*html.Node]bool
	// asides are the aside elements that were looked at, and whether they are.
	asides map[*html.Node]bool
	// items are elements that were asked whether they are one of several.
	items map[*html.Node]bool
	// headed are elements that were asked whether they open with a heading.
	headed map[*html.Node]bool
	// times are the moments of time elements in the body, and authors what is
	// linked with rel author.
	times, authors []string
	// updates are dates of changes that stand elsewhere, below the text.
	updates []string
	// listed says that the items of a list have times, too.
	listed bool
	// bylines and dates are what elements say whose class is such a name.
	bylines, dates []string
	// post is the first post of a thread in which an element names an author or a
	// date.
	post *html.Node
	// props are the contents of meta elements with an itemprop and no thing
	// around them.
	props map[string]string
	// opening is what stands behind the first heading.
	opening opening
	// buys says that a button buys what the page shows.
	buys bool
	// second is what stands behind the first heading of the second level, for
	// pages that have none of the first.
	second opening
	under  *html.Node
	// underText is what the heading says.
	underText string
}

// maxNoted is how many times and authors are noted.
const maxNoted = 8

func headOf(p *page.Page) (h head) {
	for n := range p.Elements() {
		if n.Namespace != "" {
			continue
		}
		h.byline(p, n)
		h.open(p, n)
		h.prop(p, n)
		h.update(p, n)
		switch n.DataAtom {
		case atom.Html:
			h.language = tree.AttrOr(n, "lang")
		case atom.Title:
			if h.title == "" {
				h.title = page.Collapse(tree.TextOf(n))
			}
		case atom.H1:
			if h.heading == "" {
				h.heading, h.first = headingText(p, n), n
				h.surround(p)
			}
			h.headings++
		case atom.H2:
			if h.under == nil && h.heading == "" && !h.isBeside(p, n) {
				h.under, h.underText = n, headingText(p, n)
			}
		case atom.Time:
			h.time(p, n)
		case atom.A:
			h.author(p, n)
		case atom.Button:
			h.buys = h.buys || visible.Buys(n, oneLine(p.Shown(n)))
		case atom.Input:
			h.buys = h.buys || visible.Buys(n, tree.AttrOr(n, "value"))
		}
	}
	return h
}

// open looks at an element behind a heading.
func (h *head) open(p *page.Page, n *html.Node) {
	o, under := &h.opening, h.first
	if h.heading == "" {
		o, under = &h.second, h.under
	}
	if under != nil && !o.closed && n != under && !within(n, under) && !h.isBeside(p, n) {
		o.element(p, n, h.language)
	}
}

// surround notes what is around the first heading.
func (h *head) surround(p *page.Page) {
	h.around = map[*html.Node]bool{}
	for a := h.first.Parent; a != nil; a = a.Parent {
		p.Meter.Step(1)
		h.around[a] = true
	}
}

// time notes a moment of the content.
func (h *head) time(p *page.Page, n *html.Node) {
	at := tree.AttrOr(n, "datetime")
	switch {
	case at == "" || len(h.times) == maxNoted || saidBefore(p, n) >= saidUpdated:
	case !h.isBeside(p, n):
		h.times = append(h.times, at)
	case h.isInItem(n):
		h.listed = true
	}
}

// within reports whether an element is a few levels within another.
func within(n, top *html.Node) bool {
	for levels := 0; n != nil && levels < 4; n, levels = n.Parent, levels+1 {
		if n == top {
			return true
		}
	}
	return false
}

// prop notes an element of Microdata that stands outside of any thing, as the
// templates of some builders of sites write them.
func (h *head) prop(p *page.Page, n *html.Node) {
	name := tree.AttrOr(n, "itemprop")
	if name != "datePublished" && name != "dateModified" && name != "author" || h.props[name] != "" {
		return
	}
	if _, ok := tree.Attr(n, "itemscope"); ok {
		return
	}
	content := tree.AttrOr(n, "content")
	if content == "" && n.DataAtom != atom.Meta {
		if h.isBeside(p, n) {
			return
		}
		if content = tree.AttrOr(n, "datetime"); content == "" {
			content = page.Collapse(oneLine(p.Shown(n)))
		}
	}
	if content == "" || len(content) > 2*maxByline || name == "author" && n.DataAtom != atom.Meta && !people.MayBe(content) {
		return
	}
	for a := n.Parent; a != nil; a = a.Parent {
		if _, ok := tree.Attr(a, "itemscope"); ok {
			return
		}
	}
	if h.props == nil {
		h.props = map[string]string{}
	}
	h.props[name] = content
}

func (h *head) author(p *page.Page, n *html.Node) {
	if len(h.authors) == maxNoted || !strings.Contains(tree.AttrOr(n, "rel"), "author") || h.isBeside(p, n) {
		return
	}
	if name := oneLine(p.Shown(n)); name != "" {
		h.authors = append(h.authors, name)
	}
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// entity is a thing that may be nil.
type entity struct{ *graph.Entity }

func (e *entity) values(name string) []graph.Value {
	if e == nil || e.Entity == nil {
		return nil
	}
	return e.Get(name)
}

// lowered returns a thing with its names in lower case.
func lowered(e *graph.Entity) *entity {
	out := &graph.Entity{Source: e.Source, Element: e.Element}
	for _, f := range e.Fields {
		out.Add(strings.ToLower(f.Name), f.Values...)
	}
	return &entity{out}
}
