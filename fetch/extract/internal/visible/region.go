package visible

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// attr returns the value of an attribute, in valid UTF-8.
func attr(n *html.Node, key string) string {
	v := tree.AttrOr(n, key)
	if !utf8.ValidString(v) {
		return strings.ToValidUTF8(v, "\uFFFD")
	}
	return v
}

// level returns the level of a heading, or 0.
func level(n *html.Node) int8 {
	switch n.DataAtom {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6, atom.Legend:
		return 6
	}
	if len(n.Attr) > 0 && attr(n, "role") == "heading" {
		if l := attr(n, "aria-level"); len(l) == 1 && '1' <= l[0] && l[0] <= '6' {
			return int8(l[0] - '0')
		}
		return 2
	}
	return 0
}

// isEcho reports whether an element repeats for the eye what stands beside it
// for everyone: a price in pieces, stars, an icon.
func isEcho(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Span, atom.I, atom.Em, atom.B, atom.Small:
		return len(n.Attr) > 0 && attr(n, "aria-hidden") == "true"
	}
	return false
}

// size is about how large a layout becomes: growing it takes several times its
// memory.
type size struct{ nodes, lines int }

// surveyed says of a page whether it tells what its main part is, and how large
// its layout may become: an element with a text in it is two nodes.
func surveyed(p *page.Page) (main bool, s size) {
	for n := range p.Elements() {
		if n.DataAtom == atom.Option || n.DataAtom == atom.Optgroup {
			continue // a field is one node
		}
		s.nodes++
		if page.IsBlock(n) {
			s.lines++
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.TextNode && !isBlank(c.Data) {
				s.nodes++
			}
		}
		main = main || isMain(n)
	}
	return main, s
}

func isBlank(s string) bool { return strings.TrimLeft(s, " \t\n\r\f") == "" }

func isMain(n *html.Node) bool {
	return n.DataAtom == atom.Main || len(n.Attr) > 0 && attr(n, "role") == "main"
}

// aside adds or takes away [isAside], as an element says what it is.
func (y *layer) aside(n *html.Node, f, says flags) flags {
	switch n.DataAtom {
	case atom.Body:
		return f
	case atom.Main:
		return f &^ isAside
	case atom.Nav, atom.Aside, atom.Menu, atom.Dialog:
		return f | isAside
	case atom.Footer:
		if !isOfItem(n) {
			return f | isAside
		}
	case atom.Header:
		if n.Parent != nil && (n.Parent.DataAtom == atom.Body || n.Parent.Parent != nil && n.Parent.Parent.DataAtom == atom.Body) {
			return f | isAside
		}
	}
	if len(n.Attr) == 0 {
		return f
	}
	switch attr(n, "role") {
	case "main":
		return f &^ isAside
	case "navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu", "menubar":
		return f | isAside
	}
	if f&isAside == 0 && page.IsBlock(n) && says&saysBoilerplate != 0 {
		return f | isAside
	}
	return f
}

// isOfItem reports whether a footer is that of a comment or a quotation and not
// of the page: it says who wrote it.
func isOfItem(n *html.Node) bool {
	for up, levels := n.Parent, 0; up != nil && levels < 3; up, levels = up.Parent, levels+1 {
		switch up.DataAtom {
		case atom.Li, atom.Blockquote:
			return true
		case atom.Article:
			return strings.Contains(attr(up, "class"), "comment")
		}
	}
	return false
}

// isAroundName reports whether the words of a class are those of what stands
// around the content of pages, by the last of them: "main-nav".
func isAroundName(words []string) bool {
	if len(words) == 0 || len(words) > 4 || !aroundWords[words[len(words)-1]] {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool { return aroundAll[w] })
}

// aroundWords are last words of such classes, and aroundAll words that classes
// have which only speak of them: "layout-sidebar", "has-nav".
var (
	aroundWords = setOf("nav navbar navigation sidebar megamenu offcanvas cookie cookies topbar")
	aroundAll   = setOf("has with no layout content without is page wrapper container article product")
)

var boilerplate = setOf("nav navbar navigation main-menu topbar top-bar topnav footer site-footer page-footer sidebar side-bar " +
	"site-header masthead cookie cookies cookie-banner cookie-consent consent newsletter newsletter-signup popup modal overlay " +
	"offcanvas off-canvas drawer mega-menu megamenu minicart mini-cart share social social-links social-share sharing related " +
	"related-posts related-products recommended recommendations recommendation upsell upsells cross-sells crosssell you-may-also-like " +
	"also-bought recently-viewed skip-link skip-links")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
