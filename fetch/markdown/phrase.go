package markdown

import (
	"html"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// Names of emphasis. The engine does not know them: it would take emphasis in
// emphasis away, and make one of two different kinds that stand side by side.
const (
	outerEm     = "drover-em"
	innerEm     = "drover-inner-em"
	outerStrong = "drover-strong"
	innerStrong = "drover-inner-strong"
)

// phrase cleans an element that needs little or nothing.
func (c *cleaner) phrase(n *xhtml.Node) {
	switch n.DataAtom {
	case atom.Em, atom.I, atom.Var:
		c.emphasis(n, &c.em, outerEm, innerEm)
	case atom.Strong, atom.B:
		c.emphasis(n, &c.strong, outerStrong, innerStrong)
	case atom.Del, atom.S, atom.Strike:
		c.struck(n)
	case atom.Span:
		c.span(n)
	case atom.Sub, atom.Sup:
		c.raised(n)
	case atom.Abbr, atom.Acronym:
		c.abbreviation(n)
	case atom.Q:
		c.clean(n)
		wrapChildren(n, tree.Text("“"), tree.Text("”"))
	case atom.Rt:
		c.clean(n)
		if !tree.Is(tree.PrevElement(n), atom.Rp) {
			wrapChildren(n, tree.Text("("), tree.Text(")"))
		}
	case atom.Hr:
		if c.cell > 0 {
			tree.Rename(n, atom.Br)
		}
	case atom.Summary:
		c.summary(n)
	default:
		c.block(n)
	}
}

// block gives an element a name by which the engine knows it for a block. An
// element that is none and shows nothing goes.
func (c *cleaner) block(n *xhtml.Node) {
	c.clean(n)
	switch {
	case tree.Is(n, atom.Html, atom.Body, atom.Br) || isRaw(n):
	case !tree.IsBlock(n):
		if isHollow(n) {
			tree.Unwrap(n)
		}
	case c.cell > 0:
		line(n)
	case n.DataAtom != atom.P:
		tree.Rename(n, atom.Div)
		n.Attr = nil
	}
}

// emphasis names emphasis by how deep it stands in its own kind. What is deeper
// than that, and what holds lists and other blocks that are more than
// paragraphs, is no emphasis in markdown.
func (c *cleaner) emphasis(n *xhtml.Node, level *int, names ...string) {
	n.Attr = nil
	blocks := c.blocks
	*level++
	c.clean(n)
	*level--
	switch {
	case isHollow(n):
		tree.Unwrap(n)
	case c.blocks > blocks:
		tree.Rename(n, atom.Div)
	case *level < len(names):
		n.Data, n.DataAtom = names[*level], 0
	default:
		tree.Rename(n, atom.Font)
	}
}

// isHollow reports whether nothing but white space is left in n.
func isHollow(n *xhtml.Node) bool {
	return n.FirstChild == nil || n.FirstChild == n.LastChild && tree.IsBlank(n.FirstChild)
}

// struck makes a passage that is struck out one that is not in another.
func (c *cleaner) struck(n *xhtml.Node) {
	tree.Rename(n, atom.Del)
	n.Attr = nil
	blocks := c.blocks
	c.dels++
	c.clean(n)
	c.dels--
	switch {
	case isHollow(n):
		tree.Unwrap(n)
	case c.blocks > blocks:
		tree.Rename(n, atom.Div)
	case c.dels > 0:
		tree.Rename(n, atom.Font)
	}
}

// maxSpans is how deep span elements may nest and be taken away: each takes its
// children up by one level.
const maxSpans = 8

// span takes away an element that says nothing, so that the engine has fewer to
// go over.
func (c *cleaner) span(n *xhtml.Node) {
	if n.FirstChild == nil && tree.HasClass(n, "br") {
		n.Attr = nil
		tree.Rename(n, atom.Br)
		return
	}
	c.spans++
	c.clean(n)
	c.spans--
	if c.spans >= maxSpans && n.FirstChild != nil {
		n.Attr = nil
		tree.Rename(n, atom.Font)
		return
	}
	tree.Unwrap(n)
}

// raised keeps the tags of an index or exponent, which markdown has no form
// for: H<sub>2</sub>O is not H2O. A reference to a note is a link already.
func (c *cleaner) raised(n *xhtml.Node) {
	name, met := n.Data, c.links+c.blocks
	c.raises++
	c.clean(n)
	c.raises--
	tree.Rename(n, atom.Span)
	n.Attr = nil
	if c.links+c.blocks == met && c.raises < 2 && c.hasContent(n) && !c.holds(n, atom.Br) {
		wrapChildren(n, rawNode("<"+name+">"), rawNode("</"+name+">"))
	}
}

// maxExpansion is the length in bytes of what an abbreviation may stand for.
const maxExpansion = 200

// abbreviation keeps what an abbreviation stands for, the first time it comes.
func (c *cleaner) abbreviation(n *xhtml.Node) {
	title := oneLine(tree.AttrOr(n, "title"))
	c.clean(n)
	tree.Rename(n, atom.Span)
	n.Attr = nil
	only := onlyChild(n)
	if !isText(only) {
		return
	}
	text := oneLine(only.Data)
	key := text + "\x00" + title
	if title == "" || text == "" || strings.EqualFold(title, text) || len(title) > maxExpansion || c.abbrs[key] {
		return
	}
	c.abbrs[key] = true
	wrapChildren(n, rawNode(`<abbr title="`+html.EscapeString(title)+`">`), rawNode("</abbr>"))
}

// summary makes the line that stays of closed details a bold paragraph.
func (c *cleaner) summary(n *xhtml.Node) {
	if isHeading(c.firstShown(n)) {
		c.clean(n)
		tree.Rename(n, atom.Div)
		return
	}
	c.cleanBold(n)
	tree.Rename(n, atom.P)
	if c.cell > 0 {
		line(n)
	}
}

// firstShown returns the first element among the children of n that a reader
// sees something of.
func (c *cleaner) firstShown(n *xhtml.Node) *xhtml.Node {
	d := firstElement(n)
	for d != nil && (tree.Is(d, atom.Noscript, atom.Script) || c.isInvisible(d)) {
		for d = d.NextSibling; d != nil && d.Type != xhtml.ElementNode; {
			d = d.NextSibling
		}
	}
	return d
}

// control shows the state that a reader of the page would see.
func (c *cleaner) control(n *xhtml.Node) {
	switch n.DataAtom {
	case atom.Script:
		c.script(n)
	case atom.Select:
		c.choice(n)
	case atom.Input:
		if !strings.EqualFold(tree.AttrOr(n, "type"), "checkbox") || isLoneBox(n) {
			tree.Remove(n)
			return
		}
		mark := "[ ] "
		if _, on := tree.Attr(n, "checked"); on {
			mark = "[x] "
		}
		if next := n.NextSibling; isText(next) {
			next.Data = strings.TrimLeft(next.Data, " \t\r\n")
		}
		tree.Replace(n, rawNode(mark))
	}
}

// isLoneBox reports whether nothing stands beside a check box, which then is
// there to be clicked: it opens a menu.
func isLoneBox(n *xhtml.Node) bool {
	for d := n.Parent.FirstChild; d != nil; d = d.NextSibling {
		if d != n && !tree.IsBlank(d) {
			return false
		}
	}
	return !tree.Is(n.Parent, atom.Li, atom.Td, atom.Th, atom.Label, atom.Body, atom.P)
}

// choice leaves the option of a menu that is selected, which is the first if
// none is.
func (c *cleaner) choice(n *xhtml.Node) {
	var first, selected *xhtml.Node
	for d := range c.Below(n) {
		if !tree.Is(d, atom.Option) {
			continue
		}
		if first == nil {
			first = d
		}
		if _, ok := tree.Attr(d, "selected"); ok {
			selected = d
			break
		}
	}
	if selected == nil {
		selected = first
	}
	if selected == nil {
		tree.Remove(n)
		return
	}
	tree.Replace(n, tree.Text(" "+oneLine(c.textOf(selected))+" "))
}
