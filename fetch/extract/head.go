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
)

// head reads what the elements of a page say about it that no vocabulary is for.
type head struct {
	page *page.Page
	// shown are the texts that say something, by what they say.
	shown   *graph.Entity
	heading string
	// first is the element of the heading, one of so many of the first level, and
	// around are the elements that it is in.
	first    *html.Node
	headings int
	around   map[*html.Node]bool
	// under is the first heading of the second level, for pages that have none of
	// the first.
	under *html.Node
	// opening is what stands behind the heading, and second what stands behind under.
	opening, second opening
	// asides, items and headed are answers about elements: whether they are asides,
	// one of several, and open with a heading.
	asides, items, headed answers
	// others are classes, and whether they are of what speaks of others than the page.
	others map[string]bool
	// anonymous says that the first byline is the name of a user, and buys that a
	// button buys what the page shows.
	anonymous, buys bool
}

const (
	// maxNoted is how many dates and authors are noted.
	maxNoted = 8
	// maxByline is the length in bytes of a text that may name an author or a date.
	maxByline = 80
)

func headOf(p *page.Page) *head {
	h := &head{page: p, shown: &graph.Entity{}, around: map[*html.Node]bool{}, asides: answers{}, items: answers{}, headed: answers{}, others: map[string]bool{}}
	h.opening, h.second = opening{head: h, shown: &graph.Entity{}}, opening{head: h, shown: &graph.Entity{}}
	note(h.shown, "language", p.Language, p.Doc)
	for n := range p.Elements() {
		if n.Namespace != "" {
			continue
		}
		h.byline(n)
		o, behind := &h.opening, h.first
		if h.heading == "" {
			o, behind = &h.second, h.under
		}
		if behind != nil && !o.closed && !within(n, behind) && !h.isBeside(n, false) {
			o.element(n)
		}
		h.prop(n)
		h.update(n)
		h.element(n)
	}
	h.settle()
	return h
}

// settle leaves out what turned out to say nothing of the page: where it sells its
// thing one word behind "by", which is who makes it.
func (h *head) settle() {
	o := &h.opening
	if h.headings == 0 {
		o = &h.second
	}
	for _, f := range o.shown.Fields {
		if f.Name != "authors" || !h.buys || len(f.Values) > 1 || people.IsFull(f.Values[0].Text) {
			h.shown.Add(f.Name, f.Values...)
		}
	}
}

// note adds a text that stands in an element to a field of which a page has few values.
func note(e *graph.Entity, field, text string, in *html.Node) {
	if text != "" && len(e.Get(field)) < maxNoted {
		e.Add(field, graph.Value{Source: graph.Class, Text: text, Element: in})
	}
}

func (h *head) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Title:
		note(h.shown, "title", page.Collapse(tree.TextOf(n)), n)
	case atom.H1:
		if h.heading == "" {
			h.heading, h.first = headingText(h.page, n), n
			for a := n.Parent; a != nil; a = a.Parent {
				h.page.Meter.Step(1)
				h.around[a] = true
			}
		}
		h.headings++
	case atom.H2:
		if h.under == nil && h.heading == "" && !h.isBeside(n, false) {
			h.under = n
		}
	case atom.A:
		if strings.Contains(tree.AttrOr(n, "rel"), "author") && !h.isBeside(n, false) {
			note(h.shown, "author", oneLine(h.page.Shown(n)), n)
		}
	case atom.Button:
		h.buys = h.buys || visible.Buys(n, oneLine(h.page.Shown(n)))
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
func (h *head) prop(n *html.Node) {
	name := tree.AttrOr(n, "itemprop")
	if name != "datePublished" && name != "dateModified" && name != "author" || h.shown.Get(name) != nil {
		return
	}
	for a := n; a != nil; a = a.Parent {
		h.page.Meter.Step(1)
		if _, ok := tree.Attr(a, "itemscope"); ok {
			return
		}
	}
	content := tree.AttrOr(n, "content")
	if content == "" && n.DataAtom != atom.Meta && !h.isBeside(n, false) {
		content = cmp.Or(tree.AttrOr(n, "datetime"), page.Collapse(oneLine(h.page.Shown(n))))
	}
	if len(content) <= 2*maxByline && (name != "author" || n.DataAtom == atom.Meta || people.MayBe(content)) {
		note(h.shown, name, content, n)
	}
}

// byline looks at an element whose class says that it names the author of what is
// around it. Pages that carry no data for machines have these.
// Where the first names a user, the others answer whoever it is.
func (h *head) byline(n *html.Node) {
	class := tree.AttrOr(n, "class")
	if class == "" || len(class) > 300 {
		return
	}
	if by, _ := says(class); !by || h.isBeside(n, false) {
		return
	}
	text := oneLine(h.page.Shown(n))
	switch {
	case text == "" || len(text) > maxByline:
	case people.MayBe(text) && !h.anonymous:
		note(h.shown, "byline", text, n)
	case h.shown.Get("byline") == nil && !strings.ContainsAny(text, " /"): // else a name with its date
		h.anonymous = true
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
