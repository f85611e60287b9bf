package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
)

// isItem reports whether an element is one of several that are built alike and
// have a heading each: a result, a post of a forum. Who wrote it and when says
// nothing of the page. It is asked once of each.
func (h *head) isItem(p *page.Page, n *html.Node) bool {
	if !tree.Is(n, atom.Li, atom.Article, atom.Div, atom.Section, atom.Tr) {
		return false
	}
	known, ok := h.items[n]
	if !ok && len(h.items) >= maxAsked {
		return true // no page but a list has as many
	}
	if !ok {
		known = h.hasTwin(p, n) && h.hasHeading(p, n) || h.isOtherArticle(p, n)
		if h.items == nil {
			h.items = map[*html.Node]bool{}
		}
		h.items[n] = known
	}
	return known
}

// isOtherArticle reports whether an element is the beginning of an article that
// stands elsewhere: the first of the page's headings is not in it, and its own is
// a link.
func (h *head) isOtherArticle(p *page.Page, n *html.Node) bool {
	if n.DataAtom != atom.Article || h.first == nil || h.around[n] {
		return false
	}
	seen := 0
	for d := range n.Descendants() {
		p.Meter.Step(1)
		if seen++; seen > maxInItem/2 {
			return false
		}
		if tree.Is(d, atom.A) && tree.AttrOr(d, "href") != "" && tree.Is(d.Parent, atom.Header, atom.H2, atom.H3, atom.H4) {
			return true
		}
	}
	return false
}

// isInItem reports whether an element was found to stand in such a one.
func (h *head) isInItem(n *html.Node) bool {
	for a := n; a != nil; a = a.Parent {
		if h.items[a] {
			return true
		}
	}
	return false
}

// maxTwins is how many elements before and behind one are asked whether they are
// like it, maxInItem how many nodes of one are looked at, and maxAsked how many
// elements are asked.
const (
	maxTwins  = 8
	maxInItem = 60
	maxAsked  = 2000
)

// hasTwin reports whether an element near by has the same name and class, and a
// heading, too.
func (h *head) hasTwin(p *page.Page, n *html.Node) bool {
	class := firstClass(n)
	if class == "" && !tree.Is(n, atom.Li, atom.Article) || layoutClass().MatchString(class) {
		return false
	}
	like := func(s *html.Node) bool {
		p.Meter.Step(1)
		return s.Type == html.ElementNode && s.DataAtom == n.DataAtom && firstClass(s) == class && !h.around[s] && h.hasHeading(p, s)
	}
	for s, seen := n.PrevSibling, 0; s != nil && seen < maxTwins; s, seen = s.PrevSibling, seen+1 {
		if like(s) {
			return true
		}
	}
	if postClass().MatchString(class) {
		return false // what the others answer
	}
	for s, seen := n.NextSibling, 0; s != nil && seen < maxTwins; s, seen = s.NextSibling, seen+1 {
		if like(s) {
			return true
		}
	}
	return false
}

// layoutClass is the class of an element that only holds others, and postClass
// that of a post of a forum.
var (
	layoutClass = lexicon.Pattern(`(?i)^(?:[a-z]+[-_]section|rows?|cols?|columns?|container|wrapper|wrap|grid|flex|inner|content|section|block|clearfix)(?:[-_0-9].*)?$`)
	postClass   = lexicon.Pattern(`(?i)^(?:forum|topic|thread|b)?[-_]?(?:post|message|question|topic)(?:[-_]?(?:container|wrapper|body|item|row|stream))?$`)
)

func firstClass(n *html.Node) string {
	class, _, _ := strings.Cut(strings.TrimSpace(tree.AttrOr(n, "class")), " ")
	return class
}

// hasHeading is [opensHeading], asked once of each element.
func (h *head) hasHeading(p *page.Page, n *html.Node) bool {
	known, ok := h.headed[n]
	if !ok {
		known = opensHeading(p, n)
		if h.headed == nil {
			h.headed = map[*html.Node]bool{}
		}
		h.headed[n] = known
	}
	return known
}

// opensHeading reports whether an element has a heading below that of the page
// near its beginning, other than one over an author or a date.
func opensHeading(p *page.Page, n *html.Node) bool {
	seen := 0
	for d := range n.Descendants() {
		p.Meter.Step(1)
		if seen++; seen > maxInItem || tree.Is(d, atom.Article) {
			return false
		}
		if tree.Is(d, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
			text := p.Shown(d)
			return !onlyBy[strings.ToLower(strings.TrimRight(text, ": "))] && (len(text) > maxByline || !isPublished(text) && !isUpdated(text))
		}
	}
	return false
}
