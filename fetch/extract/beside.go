package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// answers are those about elements, each of which is asked for once.
type answers map[*html.Node]bool

func (a answers) of(n *html.Node, ask func() bool) bool {
	known, ok := a[n]
	if !ok {
		known = ask()
		a[n] = known
	}
	return known
}

// isBeside reports whether an element stands in what surrounds the content, or
// among the remarks of readers, and footers too where they do not count as the
// content's. What is around the first heading surrounds nothing.
func (h *head) isBeside(n *html.Node, footers bool) bool {
	for a := n; a != nil && !h.around[a] && !tree.Is(a, atom.Body, atom.Main); a = a.Parent {
		h.page.Meter.Step(1)
		class := tree.AttrOr(a, "class")
		switch {
		case tree.Is(a, atom.Footer):
			if footers || !tree.Is(a.Parent, atom.Article) {
				return !footers
			}
		case tree.Is(a, atom.Nav), tree.Is(a, atom.Aside) && h.isAside(a),
			class != "" && h.isOfOthers(class), h.isItem(a):
			return true
		}
	}
	return false
}

// isOfOthers is [visible.IsOfOthers], asked once for each class: elements share theirs.
func (h *head) isOfOthers(class string) bool {
	others, known := h.others[class]
	if !known {
		others = visible.IsOfOthers(class)
		h.others[class] = others
	}
	return others
}

// isAside reports whether an aside element is one: templates write what an
// article says of itself in some.
func (h *head) isAside(n *html.Node) bool {
	return h.asides.of(n, func() bool { return !visible.InArticle(n) || visible.OpensRelated(h.page.Shown(n)) })
}

// maxTwins is how many elements before and behind one are asked whether they are
// like it, maxInItem how many nodes of one are looked at, and maxAsked how many
// elements are asked.
const (
	maxTwins  = 8
	maxInItem = 60
	maxAsked  = 2000
)

// isItem reports whether an element is one of several that are built alike and
// have a heading each: a result, a post of a forum. Who wrote it and when says
// nothing of the page.
func (h *head) isItem(n *html.Node) bool {
	if !tree.Is(n, atom.Li, atom.Article, atom.Div, atom.Section, atom.Tr) {
		return false
	}
	return h.items.of(n, func() bool {
		return len(h.items) >= maxAsked || h.hasTwin(n) && h.hasHeading(n) || // no page but a list has as many
			n.DataAtom == atom.Article && h.first != nil && !h.around[n] && h.leadsElsewhere(n)
	})
}

// leadsElsewhere reports whether an element opens with a heading that is a link: it
// is the beginning of an article that stands elsewhere.
func (h *head) leadsElsewhere(n *html.Node) bool {
	seen := 0
	for d := range n.Descendants() {
		h.page.Meter.Step(1)
		if seen++; seen > maxInItem/2 {
			return false
		}
		if tree.Is(d, atom.A) && tree.AttrOr(d, "href") != "" && tree.Is(d.Parent, atom.Header, atom.H2, atom.H3, atom.H4) {
			return true
		}
	}
	return false
}

// hasTwin reports whether an element near by has the same name and class, and a
// heading, too.
func (h *head) hasTwin(n *html.Node) bool {
	class := firstClass(n)
	if class == "" && !tree.Is(n, atom.Li, atom.Article) || layoutClass().MatchString(class) {
		return false
	}
	like := func(s *html.Node, next func(*html.Node) *html.Node) bool {
		for seen := 0; s != nil && seen < maxTwins; s, seen = next(s), seen+1 {
			h.page.Meter.Step(1)
			if s.Type == html.ElementNode && s.DataAtom == n.DataAtom && firstClass(s) == class && !h.around[s] && h.hasHeading(s) {
				return true
			}
		}
		return false
	}
	// what is behind a post of a forum answers it
	return like(n.PrevSibling, func(s *html.Node) *html.Node { return s.PrevSibling }) ||
		!postClass().MatchString(class) && like(n.NextSibling, func(s *html.Node) *html.Node { return s.NextSibling })
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

// hasHeading reports whether an element has a heading below that of the page
// near its beginning, other than one over an author or a date.
func (h *head) hasHeading(n *html.Node) bool {
	return h.headed.of(n, func() bool {
		seen := 0
		for d := range n.Descendants() {
			h.page.Meter.Step(1)
			if seen++; seen > maxInItem || tree.Is(d, atom.Article) {
				return false
			}
			if tree.Is(d, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
				text := h.page.Shown(d)
				return !isBy(text) && (len(text) > maxByline || !mention.SaysPublished(text) && !mention.SaysUpdated(text))
			}
		}
		return false
	})
}
