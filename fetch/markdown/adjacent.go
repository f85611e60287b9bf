package markdown

import (
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// A direction is one of the two in which text runs.
type direction bool

const (
	forward  direction = true
	backward direction = false
)

func (d direction) sibling(n *html.Node) *html.Node {
	if d == forward {
		return n.NextSibling
	}
	return n.PrevSibling
}

// edge returns the child of n that is met first in the direction.
func (d direction) edge(n *html.Node) *html.Node {
	if d == forward {
		return n.FirstChild
	}
	return n.LastChild
}

// adjacent returns what is written right after n, or right before it: a text
// or an element that writes something of its own. There is none where the
// element around n has a mark of its own, and none at the end of a block, which
// end says.
func (w *work) adjacent(n *html.Node, d direction) (next *html.Node, end bool) {
	for {
		w.Step(1)
		for d.sibling(n) == nil {
			w.Step(1)
			n = n.Parent
			switch {
			case n == nil || n.Data == "body" || n.Type == html.ElementNode && tree.IsBlock(n):
				return nil, true
			case !isTransparent(n):
				return nil, false
			}
		}
		n = d.sibling(n)
		for isTransparent(n) && n.FirstChild != nil {
			w.Step(1)
			n = d.edge(n)
		}
		if !isTransparent(n) {
			return n, false
		}
	}
}

// isTransparent reports whether an element writes its content and nothing
// else.
func isTransparent(n *html.Node) bool {
	if n.Type != html.ElementNode || tree.IsBlock(n) || marks[n.Data].tag != "" {
		return false
	}
	switch n.Data {
	case "a", "img", "code", "br", "body", "html":
		return false
	}
	return true
}

// neighbour returns the character that is written before or after an element:
// a space where a line begins or ends, and some punctuation where another
// element does.
func (w *work) neighbour(n *html.Node, d direction) rune {
	next, end := w.adjacent(n, d)
	switch {
	case next == nil && end:
		return ' '
	case next == nil:
		return '*' // the mark of the element around n
	case named(next, "br") || next.Type == html.ElementNode && tree.IsBlock(next):
		return ' '
	case next.Type != html.TextNode:
		return '*'
	}
	r, _ := utf8.DecodeLastRuneInString(next.Data)
	if d == forward {
		r, _ = utf8.DecodeRuneInString(next.Data)
	}
	return r
}

// startsLine reports whether n is the first of its line, and a line that may
// begin a block: headings and cells are lines already.
func (w *work) startsLine(n *html.Node) bool {
	block := n.Parent
	for block != nil && !tree.IsBlock(block) {
		w.Step(1)
		block = block.Parent
	}
	if named(block, "h1", "h2", "h3", "h4", "h5", "h6") || named(block, "td", "th") && !mayBeTitle(block) {
		return false
	}
	prev, start := w.adjacent(n, backward)
	if prev == nil {
		return start
	}
	return w.endsLine(prev)
}

// endsLine reports whether what comes after n begins a line.
func (w *work) endsLine(n *html.Node) bool {
	for n.LastChild != nil && !tree.IsBlock(n) {
		w.Step(1)
		n = n.LastChild
	}
	return named(n, "br") || n.Type == html.ElementNode && tree.IsBlock(n)
}
