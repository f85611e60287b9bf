package extract

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/mention"
)

// head is what the elements of a page say about it that no vocabulary is for.
type head struct {
	language, title, heading string
	// first is the element of the heading, one of so many of the first level.
	first    *html.Node
	headings int
	// around are the elements that the first heading is in.
	around map[*html.Node]bool
	// asides, items and headed are answers about elements: whether they are asides,
	// one of several, and open with a heading.
	asides, items, headed answers
	// times are the moments of time elements in the body, and authors what is
	// linked with rel author.
	times, authors []string
	// listed says that the items of a list have times, too.
	listed bool
	// updates are dates of changes that stand elsewhere, below the text.
	updates []string
	// bylines and dates are what elements say whose class is such a name.
	bylines, dates []string
	// props are the contents of meta elements with an itemprop and no thing
	// around them.
	props map[string]string
	// opening is what stands behind the first heading, and second what stands behind
	// under, the first of the second level, for pages that have none of the first.
	opening, second opening
	under           *html.Node
	// buys says that a button buys what the page shows.
	buys bool
}

const (
	// maxNoted is how many dates and authors are noted.
	maxNoted = 8
	// maxByline is the length in bytes of a text that may name an author or a date.
	maxByline = 80
)

func headOf(p *page.Page) *head {
	h := &head{around: map[*html.Node]bool{}, asides: answers{}, items: answers{}, headed: answers{}, props: map[string]string{}}
	for n := range p.Elements() {
		if n.Namespace != "" {
			continue
		}
		h.byline(p, n)
		o, behind := &h.opening, h.first
		if h.heading == "" {
			o, behind = &h.second, h.under
		}
		if behind != nil && !o.closed && !within(n, behind) && !h.isBeside(p, n, false) {
			o.element(p, n, h.language)
		}
		h.prop(p, n)
		h.update(p, n)
		h.element(p, n)
	}
	return h
}

func (h *head) element(p *page.Page, n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		h.language = tree.AttrOr(n, "lang")
	case atom.Title:
		h.title = cmp.Or(h.title, page.Collapse(tree.TextOf(n)))
	case atom.H1:
		if h.heading == "" {
			h.heading, h.first = headingText(p, n), n
			for a := n.Parent; a != nil; a = a.Parent {
				p.Meter.Step(1)
				h.around[a] = true
			}
		}
		h.headings++
	case atom.H2:
		if h.under == nil && h.heading == "" && !h.isBeside(p, n, false) {
			h.under = n
		}
	case atom.Time:
		at := tree.AttrOr(n, "datetime")
		if at == "" || len(h.times) == 2 || saidBefore(p, n) >= saidUpdated {
			return
		}
		if !h.isBeside(p, n, false) {
			h.times = append(h.times, at)
			return
		}
		for a := n; a != nil; a = a.Parent {
			h.listed = h.listed || h.items[a]
		}
	case atom.A:
		if len(h.authors) < maxNoted && strings.Contains(tree.AttrOr(n, "rel"), "author") && !h.isBeside(p, n, false) {
			h.authors = append(h.authors, oneLine(p.Shown(n)))
		}
	case atom.Button:
		h.buys = h.buys || visible.Buys(n, oneLine(p.Shown(n)))
	case atom.Input:
		h.buys = h.buys || visible.Buys(n, tree.AttrOr(n, "value"))
	}
}

// headingText returns the text of a heading, without the sign that links to it.
func headingText(p *page.Page, n *html.Node) string {
	text := strings.TrimSpace(oneLine(p.Shown(n)))
	for _, sign := range [...]string{"¶", "§", "🔗", "\uf0c1", " #"} {
		text = strings.TrimSpace(strings.TrimSuffix(text, sign))
	}
	return text
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
	for a := n; a != nil; a = a.Parent {
		p.Meter.Step(1)
		if _, ok := tree.Attr(a, "itemscope"); ok {
			return
		}
	}
	content := tree.AttrOr(n, "content")
	if content == "" && n.DataAtom != atom.Meta && !h.isBeside(p, n, false) {
		content = cmp.Or(tree.AttrOr(n, "datetime"), page.Collapse(oneLine(p.Shown(n))))
	}
	if len(content) <= 2*maxByline && (name != "author" || n.DataAtom == atom.Meta || people.MayBe(content)) {
		h.props[name] = content
	}
}

// byline looks at an element whose class says that it names the author or the
// date of what is around it. Pages that carry no data for machines have these.
func (h *head) byline(p *page.Page, n *html.Node) {
	class := tree.AttrOr(n, "class")
	if class == "" || len(class) > 300 || len(h.bylines) == maxNoted && len(h.dates) == maxNoted {
		return
	}
	by, at := says(class)
	if !by && !at || h.isBeside(p, n, false) {
		return
	}
	text := oneLine(p.Shown(n))
	switch {
	case text == "" || len(text) > maxByline:
	case by && !at && len(h.bylines) < maxNoted && (people.MayBe(text) || len(h.bylines) == 0 && !strings.Contains(text, " ")):
		h.bylines = append(h.bylines, text)
	case at && len(h.dates) < maxNoted && !mention.SaysUpdated(text) && !mention.SaysUpdated(class):
		h.dates = append(h.dates, text)
	}
}

// says reports whether the words of a class are those for an author or for a
// date.
func says(class string) (author, date bool) {
	all := strings.FieldsFunc(strings.ToLower(class), func(r rune) bool { return strings.ContainsRune(" -_\n\t", r) })
	has := func(list string) bool {
		return slices.ContainsFunc(all, func(word string) bool { return isOf(list, word) })
	}
	author, date = has("authorClass"), has("dateClass")
	if (author || date) && has("otherClass") {
		return false, false
	}
	return author, date
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// lowered returns a thing with its names in lower case.
func lowered(e *graph.Entity) *graph.Entity {
	out := &graph.Entity{Source: e.Source, Element: e.Element}
	for _, f := range e.Fields {
		out.Add(strings.ToLower(f.Name), f.Values...)
	}
	return out
}
