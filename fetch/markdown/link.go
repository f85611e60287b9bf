package markdown

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// link makes the target of a link absolute and gives the link the form that
// markdown has for it. A link without a target that somebody could follow
// keeps its text.
func (c *cleaner) link(n *html.Node) {
	href, ok := tree.Attr(n, "href")
	if ok {
		href = c.urls.Resolve(href)
		ok = href != "" || !c.urls.HasBase() && tree.AttrOr(n, "href") == ""
	}
	if n.DataAtom == atom.Area {
		c.area(n, href)
		return
	}
	if !ok || c.inLink {
		tree.Rename(n, atom.Span)
		n.Attr = nil
		c.phrase(n)
		return
	}
	c.links++
	if next := n.NextSibling; tree.Is(next, atom.A) && (len(n.Attr)+len(next.Attr) > 2 || !tree.Is(n.Parent, atom.P)) {
		n.Parent.InsertBefore(tree.Text(" "), n.NextSibling)
	}
	had := n.FirstChild != nil
	c.inLink = true
	c.clean(n)
	c.inLink = false
	c.size.take(len(href))
	title := oneLine(tree.AttrOr(n, "title"))
	label := oneLine(tree.AttrOr(n, "aria-label"))
	attrs := n.Attr
	n.Attr = []html.Attribute{{Key: "href", Val: href}}
	if !c.hasContent(n) {
		if text := cmp.Or(label, title); text != "" {
			emptied(n, text)
		}
	}
	if c.isVoidLink(n, attrs, had) {
		tree.Remove(n)
		return
	}
	c.dropEcho(n)
	if title != "" && !strings.EqualFold(title, oneLine(c.textOf(n))) {
		tree.SetAttr(n, "title", title)
	}
	if c.cell == 0 {
		c.pushDown(n)
	}
}

// dropEcho takes the text of an image away that the link around it has as its
// own text, too.
func (c *cleaner) dropEcho(n *html.Node) {
	var img *html.Node
	text := ""
	for d := range c.Below(n) {
		switch {
		case named(d, "img") && !isRaw(d):
			if img != nil {
				return
			}
			img = d
		case d.Type == html.TextNode && text == "":
			text = oneLine(d.Data)
		case d.Type == html.TextNode && !tree.IsBlank(d):
			return
		}
	}
	if img != nil && text != "" && strings.EqualFold(text, tree.AttrOr(img, "alt")) {
		tree.SetAttr(img, "alt", "")
	}
}

// area makes a place on an image map an ordinary link.
func (c *cleaner) area(n *html.Node, href string) {
	text := cmp.Or(oneLine(tree.AttrOr(n, "alt")), oneLine(tree.AttrOr(n, "title")))
	if href == "" || text == "" {
		tree.Remove(n)
		return
	}
	c.size.take(len(href))
	tree.Rename(n, atom.A)
	n.Attr = []html.Attribute{{Key: "href", Val: href}}
	n.AppendChild(tree.Text(text))
	n.Parent.InsertBefore(tree.Text(" "), n)
}

// pushDown moves a link that stands around blocks, such as a card with a
// picture, a heading and a text, to the heading or else to the first of the
// blocks that has a text: a link in markdown cannot hold blocks.
func (w *work) pushDown(link *html.Node) {
	var target, block *html.Node
	for d := range w.Below(link) {
		if d.Type != html.ElementNode || !tree.IsBlock(d) {
			continue
		}
		block = d
		if isHeading(d) && w.hasContent(d) {
			target = d
			break
		}
		if target == nil && d.DataAtom != atom.Pre && w.isLeafBlock(d) && w.hasWordsIn(d) {
			target = d
		}
	}
	if block == nil {
		return
	}
	if target == nil {
		w.unblock(link)
		return
	}
	a := tree.Element(atom.A)
	a.Attr = link.Attr
	tree.MoveChildren(a, target)
	target.AppendChild(a)
	tree.Rename(link, atom.Div)
	link.Attr = nil
}

// unblock makes all blocks below n inline.
func (w *work) unblock(n *html.Node) {
	for d := range w.Below(n) {
		switch {
		case tree.Is(d, atom.Pre):
			tree.Rename(d, atom.Code)
		case d.Type == html.ElementNode && tree.IsBlock(d):
			tree.Rename(d, atom.Span)
		}
	}
}

func (w *work) isLeafBlock(n *html.Node) bool {
	for d := range w.Below(n) {
		if d.Type == html.ElementNode && tree.IsBlock(d) {
			return false
		}
	}
	return true
}

// holds reports whether an element of the name is below n.
func (w *work) holds(n *html.Node, name atom.Atom) bool {
	for d := range w.Below(n) {
		if tree.Is(d, name) {
			return true
		}
	}
	return false
}

func isHeading(n *html.Node) bool {
	return tree.Is(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
}
