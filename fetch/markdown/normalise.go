package markdown

import (
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/collapse"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// normalise brings a tree that has been cleaned into the order that markdown
// has: blocks in blocks, items in lists. Each pass visits each node once.
func (e *engine) normalise(doc *html.Node) {
	e.settle(doc)
	e.alternatives(doc, place{})
	e.moveItems(doc)
}

// settle joins what reads as one, texts and code that stand side by side, and
// makes a span that holds blocks a block. It reports whether n is or holds one.
func (e *engine) settle(n *html.Node) bool {
	e.Step(1)
	mergeTexts(n)
	mergeCode(n)
	e.sourceFormulas(n)
	holds := false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		holds = e.settle(c) || holds
	}
	if holds && named(n, "span") {
		n.Data = "div"
	}
	return holds || n.Type == html.ElementNode && breaksLine(n.Data)
}

// mergeCode joins code that stands side by side among the children of n: the
// backticks between would be read as one fence.
func mergeCode(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		for named(c, "code") && named(c.NextSibling, "code") {
			next := c.NextSibling
			tree.MoveChildren(c, next)
			n.RemoveChild(next)
		}
	}
}

// A place is what a node stands in.
type place struct {
	// leaf says that it is a block that holds no blocks, inline an element
	// within a line.
	leaf, inline bool
	// demoted says that it is a heading that has been taken for strong text.
	demoted bool
}

// alternatives finds another form for blocks where markdown can have none: in
// headings, links and the like.
func (e *engine) alternatives(n *html.Node, in place) {
	e.Step(1)
	below := in
	switch kind := structureOf(n); kind {
	case leafBlock, containerBlock:
		if in.leaf || in.inline {
			below.demoted = in.demoted || isHeadingName(n.Data)
			demote(n, in)
		}
		below.leaf = in.leaf || kind == leafBlock
	case inlineElement:
		below.inline = true
	}
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		e.alternatives(c, below)
		c = next
	}
}

// demote makes a block something that a line can hold: a heading strong text
// on a line of its own, a quote one in quotation marks, a code block code.
func demote(n *html.Node, in place) {
	switch name := n.Data; {
	case name == "hr":
		tree.Remove(n)
	case name == "pre":
		n.Data = "code"
	case name == "blockquote":
		n.Data = "span"
		n.Parent.InsertBefore(tree.Text(` "`), n)
		n.Parent.InsertBefore(tree.Text(`" `), n.NextSibling)
	case isHeadingName(name) && !in.demoted:
		n.Data = "strong"
		n.Parent.InsertBefore(tree.Element(atom.Br), n.NextSibling)
	default:
		n.Data = "span"
	}
}

// A structure is what the rules for nesting tell apart.
type structure uint8

const (
	plainElement structure = iota
	containerBlock
	leafBlock
	inlineElement
)

func structureOf(n *html.Node) structure {
	if n.Type == html.TextNode {
		return inlineElement
	}
	switch n.Data {
	case "html", "body", "blockquote", "ul", "ol", "li":
		return containerBlock
	case "hr", "pre", "h1", "h2", "h3", "h4", "h5", "h6":
		return leafBlock
	case "span", "code", "strong", "a", "img", "br":
		return inlineElement
	}
	return plainElement
}

func isHeadingName(name string) bool {
	return len(name) == 2 && name[0] == 'h' && '1' <= name[1] && name[1] <= '6'
}

// moveItems puts what a list holds beside its items into the item before it,
// or into one of its own.
func (e *engine) moveItems(n *html.Node) {
	e.Step(1)
	if named(n, "ul", "ol") {
		gatherItems(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		e.moveItems(c)
	}
}

func gatherItems(list *html.Node) {
	var item *html.Node
	for c := list.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case named(c, "li"):
			item = c
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) == "":
		case item == nil:
			item = tree.Element(atom.Li)
			list.InsertBefore(item, c)
			fallthrough
		default:
			list.RemoveChild(c)
			item.AppendChild(c)
		}
		c = next
	}
}

// collapse makes white space what a browser shows of it.
func (e *engine) collapse(doc *html.Node) {
	collapse.Collapse(doc, &collapse.DomFuncs{
		IsBlockNode: func(n *html.Node) bool { return breaksLine(n.Data) },
		IsVoidNode:  func(n *html.Node) bool { return isVoid(n.Data) || named(n, "a") && n.FirstChild == nil },
		IsPreformattedNode: func(n *html.Node) bool { // asked of each node
			e.Step(1)
			return named(n, "pre", "code")
		},
	})
}

// breaksLine reports whether white space beside an element of the name shows
// nowhere. After cleaning there are few of them.
func breaksLine(name string) bool {
	switch name {
	case "div", "p", "li", "ul", "ol", "table", "blockquote", "pre", "hr", "h1", "h2", "h3", "h4", "h5", "h6",
		"section", "fieldset":
		return true
	}
	return false
}

func isVoid(name string) bool { return name == "img" || name == "br" || name == "hr" }
