package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/link"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// A cleaner is the pass over the tree before the engine's.
type cleaner struct {
	*work
	survey *survey
	urls   *link.Resolver
	size   *meter
	o      Options

	// What is around the node at hand: lists and quotes, tables, links,
	// headings, emphasis of each kind, spans, sub and sup, what is made strong.
	nesting, cell, headings, em, strong, dels, spans, raises, bold int
	inLink                                                         bool
	// What has been met so far: links, blocks that are more than paragraphs,
	// abbreviations that have been spelt out.
	links, blocks, formulas int
	abbrs                   map[string]bool
	// The wrappers of KaTeX whose drawings have been taken out.
	drawn map[*html.Node]bool
	// The elements around which no formula was found in anything below.
	barren map[*html.Node]bool
}

func newCleaner(w *work, doc *html.Node, o Options) *cleaner {
	s := look(w, doc, o)
	w.footnotes(&s.notes)
	return &cleaner{
		work:   w,
		survey: s,
		urls:   link.NewResolver(w.Meter, o.PageURL, s.base),
		size:   &meter{left: o.MaxOutput},
		o:      o,
		abbrs:  map[string]bool{},
		drawn:  map[*html.Node]bool{},
		barren: map[*html.Node]bool{},
	}
}

// A meter counts what the markdown will hold at least, so that a page that
// asks for too much is given up before the memory is spent.
type meter struct{ left int }

// take counts n bytes and reports whether they are within the limit.
func (m *meter) take(n int) bool {
	m.left -= n
	return m.left >= 0
}

func (m *meter) spent() bool { return m.left < 0 }

// clean rewrites the children of n. A visit may replace the node it is given
// by others, which are then taken as clean.
func (c *cleaner) clean(n *html.Node) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		c.visit(child)
		child = next
	}
	mergeTexts(n)
	mergeEmphasis(n)
}

func (c *cleaner) visit(n *html.Node) {
	c.Step(1)
	switch n.Type {
	case html.TextNode:
		if n.Data = cleanText(n.Data); n.Data == "" || strings.TrimSpace(n.Data) == "" && atBlock(n) {
			tree.Remove(n)
		}
	case html.ElementNode:
		if c.isInvisible(n) && !c.isReached(n) {
			c.dismiss(n)
			return
		}
		c.element(n)
	default: // comments, doctypes
		tree.Remove(n)
	}
}

// atBlock reports whether white space in the place of n shows nowhere, for it
// is at the edge of a block.
func atBlock(n *html.Node) bool {
	prev, next := n.PrevSibling, n.NextSibling
	return prev != nil && tree.IsBlock(prev) || next != nil && tree.IsBlock(next) || (prev == nil || next == nil) && tree.IsBlock(n.Parent)
}

// element hands n to what its kind needs. An element that is not named here
// keeps its name and has its children cleaned.
func (c *cleaner) element(n *html.Node) {
	switch {
	case n.Namespace != "":
		c.foreign(n)
		return
	case n.Data == noteRef, c.drawnFormula(n), c.tabs(n):
		return
	case c.isFurniture(n):
		c.dismiss(n)
		return
	case isAdmonition(n) && c.cell == 0 && !c.inLink:
		c.admonition(n)
		return
	}
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir, atom.Dl, atom.Blockquote, atom.Table, atom.Pre, atom.Hr,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		c.blocks++
	}
	switch n.DataAtom {
	case atom.A, atom.Area:
		c.link(n)
	case atom.Img, atom.Picture, atom.Video, atom.Audio, atom.Iframe, atom.Noscript:
		c.media(n)
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		c.codeBlock(n)
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		c.codeSpan(n)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.Blockquote:
		c.container(n)
	case atom.Table:
		c.table(n)
	case atom.Td, atom.Th:
		c.cellOfLayout(n)
	case atom.Input, atom.Select, atom.Script:
		c.control(n)
	case atom.Button, atom.Label:
		keptApart(n)
		c.phrase(n)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		c.heading(n)
	default:
		c.phrase(n)
	}
}

// heading drops the marks that link to the heading itself.
func (c *cleaner) heading(n *html.Node) {
	for d := n.FirstChild; d != nil; {
		c.Step(1)
		next := d.NextSibling
		if c.isPermalink(d) {
			tree.Remove(d)
		}
		d = next
	}
	c.headings++
	defer func() { c.headings-- }()
	if c.cell == 0 {
		c.clean(n)
		return
	}
	c.cleanBold(n)
	line(n)
}

// isPermalink reports whether n is a link to a place on the page whose text
// holds no word, such as "#" and "¶".
func (w *work) isPermalink(n *html.Node) bool {
	if !tree.Is(n, atom.A) {
		return false
	}
	href, ok := tree.Attr(n, "href")
	return ok && len(href) > 0 && href[0] == '#' && !w.hasWordsIn(n) && !w.holds(n, atom.Img)
}

// cleanBold cleans n and makes its content strong, unless something around it
// is about to be.
func (c *cleaner) cleanBold(n *html.Node) {
	c.bold++
	c.clean(n)
	c.bold--
	if c.bold == 0 && n.FirstChild != nil {
		c.embolden(n)
	}
}

// embolden makes all of n's content, which has been cleaned, strong.
func (w *work) embolden(n *html.Node) {
	for d := range w.Below(n) {
		if named(d, outerStrong, innerStrong) {
			tree.Rename(d, atom.Font)
		}
	}
	strong := &html.Node{Type: html.ElementNode, Data: outerStrong}
	tree.MoveChildren(strong, n)
	n.AppendChild(strong)
}

// line makes a block an inline element on a line of its own, which is what the
// cells of a table can hold.
func line(n *html.Node) {
	tree.Rename(n, atom.Font)
	n.Attr = nil
	if n.FirstChild != nil {
		wrapChildren(n, tree.Element(atom.Br), tree.Element(atom.Br))
	}
}
