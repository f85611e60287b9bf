package visible

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// A layout is the page as a reader sees it: the shown nodes in the order of the
// page, and one text with a line for each line of the page. The text of an
// element is a stretch of that text.
type layout struct {
	nodes []node
	lines []line
	text  string
	// tokens are the names in classes.
	tokens tokens
}

// node is an element that is shown, or a text with words.
type node struct {
	el *html.Node
	up int // the parent, or -1
	// end is the index after the last node within.
	end int
	// from and to are its stretch of the text; to is after it.
	from, to int
	// line and lineEnd are the lines that it has words on.
	line, lineEnd int
	part          int // the part it belongs to
	flags         flags
	level         int8 // of a heading 1 to 7, else 0
	key           uint64
	kin           uint64 // what its descendants are, a set of bits
}

// line is a line of the text.
type line struct {
	from, to    int
	first, last int // its first and last text node
}

type flags uint32

const (
	isText flags = 1 << iota
	isBlock
	isAside   // beside the main part
	isStruck  // crossed out: an old price
	hasStruck // something within is crossed out
	hasImage
	hasLink
	hasHeading
	hasTable
	hasItems // its children are
	isMember // one of several that are alike: an item
	isTaken  // its text was read as what it is: cells, terms, values with a label
	inTable  // in a table of data
	isCents  // the cents of an amount that begins before it
	// What its classes say.
	saysLabel
	saysTitle
	saysCrumbs
	saysBoilerplate
)

func (n *node) is(f flags) bool { return n.flags&f != 0 }

// named reports whether the node is an element of one of the names.
func (n *node) named(names ...atom.Atom) bool {
	if n.flags&isText != 0 {
		return false
	}
	for _, a := range names {
		if n.el.DataAtom == a {
			return true
		}
	}
	return false
}

// layer lays a page out.
type layer struct {
	p   *page.Page
	l   *layout
	b   strings.Builder
	gap byte // what comes before the next word: 0, ' ' or '\n'
	pre int  // elements around that keep line breaks
	// cents are where separators of cents were put into the text.
	cents map[int]bool
	// noscript says that what is for browsers without scripts is shown, and
	// unread is how much of it is not, in bytes.
	noscript bool
	unread   int
}

// lay lays a page out, and one that shows next to nothing without its scripts
// as browsers without scripts show it.
func lay(p *page.Page) *layout {
	y := layOut(p, false)
	if y.unread > 2*len(y.l.text) && y.unread > leastUnread {
		y = layOut(p, true)
	}
	return y.l
}

func layOut(p *page.Page, noscript bool) *layer {
	y := &layer{p: p, l: &layout{tokens: tokens{}}, noscript: noscript}
	main, elements := surveyed(p)
	y.l.nodes = make([]node, 0, elements+elements/2)
	if top := body(p); top != nil {
		var f flags
		if main {
			f = isAside
		}
		y.element(top, -1, f)
	}
	y.l.text = y.b.String()
	return y
}

func body(p *page.Page) *html.Node {
	for n := range p.Elements() {
		if n.DataAtom == atom.Body || n.DataAtom == atom.Frameset {
			return n
		}
	}
	return nil
}

// element lays an element out; f is what it has from its parent.
func (y *layer) element(n *html.Node, up int, f flags) {
	if n.DataAtom == atom.Noscript {
		y.withoutScripts(n, up, f)
		return
	}
	if page.IsSilent(n) || tree.IsHidden(n) || isEcho(n) {
		return
	}
	i := y.enter(n, up, f)
	block := y.l.nodes[i].is(isBlock) || n.DataAtom == atom.Br
	if block {
		y.gap = '\n'
	}
	if n.DataAtom == atom.Pre {
		y.pre++
	}
	if n.DataAtom != atom.Select {
		y.children(n, i)
	}
	if n.DataAtom == atom.Pre {
		y.pre--
	}
	if block {
		y.gap = '\n'
	}
	y.leave(i)
}

func (y *layer) enter(n *html.Node, up int, f flags) int {
	f &= isAside | isStruck
	says, key := y.l.tokens.read(n)
	f = y.aside(n, f, says)
	if page.IsBlock(n) || n.DataAtom == atom.Button || n.DataAtom == atom.Select {
		f |= isBlock
	}
	switch n.DataAtom {
	case atom.Del, atom.S, atom.Strike:
		f |= isStruck
	case atom.Img, atom.Picture:
		f |= hasImage
	case atom.A:
		f |= hasLink
	case atom.Table:
		f |= hasTable
	}
	if style := tree.AttrOr(n, "style"); style != "" && containsFold(cut(style, maxNames), "line-through") {
		f |= isStruck
	}
	depth := level(n)
	if depth > 0 {
		f |= hasHeading
	}
	y.l.nodes = append(y.l.nodes, node{el: n, up: up, from: y.b.Len(), line: len(y.l.lines), flags: f | says, level: depth, key: key})
	return len(y.l.nodes) - 1
}

func (y *layer) children(n *html.Node, i int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		y.p.Meter.Step(1)
		switch c.Type {
		case html.TextNode:
			y.words(c, i)
		case html.ElementNode:
			y.element(c, i, y.l.nodes[i].flags)
		}
	}
}

// leave closes a node: its stretch begins with a word.
func (y *layer) leave(i int) {
	n := &y.l.nodes[i]
	n.end, n.to, n.lineEnd = len(y.l.nodes), y.b.Len(), len(y.l.lines)
	if n.from < n.to && y.firstIsGap(n.from) {
		n.from++
	} else if n.from < n.to && y.cents[n.from] {
		n.from++
		n.flags |= isCents
	}
	if n.from < n.to && n.line < n.lineEnd && n.line > 0 && y.l.lines[n.line-1].to > n.from {
		n.line--
	} else if n.from < n.to && n.line == n.lineEnd {
		n.line--
	}
	if n.up >= 0 {
		up := &y.l.nodes[n.up]
		up.flags |= n.flags & (hasStruck | hasImage | hasLink | hasHeading | hasTable)
		if n.is(isStruck) && n.from < n.to {
			up.flags |= hasStruck
		}
	}
}

func (y *layer) firstIsGap(at int) bool {
	c := y.b.String()[at]
	return c == ' ' || c == '\n'
}

// words adds a text to the lines.
func (y *layer) words(n *html.Node, up int) {
	s := n.Data
	y.p.Meter.Read(len(s))
	if sep := y.centsSeparator(n); sep != 0 {
		if y.cents == nil {
			y.cents = map[int]bool{}
		}
		y.cents[y.b.Len()] = true
		y.b.WriteByte(sep)
		y.gap = 0
		s = strings.TrimLeft(s, " \t\n\r\f")
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	at := -1
	for s != "" {
		word, rest, space, broken := cutWord(s)
		if space && y.gap == 0 {
			y.gap = ' '
		}
		if broken && y.pre > 0 {
			y.gap = '\n'
		}
		if s = rest; word == "" {
			continue
		}
		if at < 0 {
			at = y.enterText(n, up)
		}
		y.word(word, at)
	}
	if at >= 0 {
		y.leave(at)
	}
}

func (y *layer) enterText(n *html.Node, up int) int {
	f := y.l.nodes[up].flags&(isAside|isStruck) | isText
	y.l.nodes = append(y.l.nodes, node{el: n, up: up, from: y.b.Len(), line: len(y.l.lines), flags: f})
	return len(y.l.nodes) - 1
}

func (y *layer) word(word string, at int) {
	if y.b.Len() > 0 && y.gap != 0 {
		y.b.WriteByte(y.gap)
	}
	if y.gap == '\n' || len(y.l.lines) == 0 {
		y.l.lines = append(y.l.lines, line{from: y.b.Len(), first: at})
	}
	y.gap = 0
	y.b.WriteString(word)
	l := &y.l.lines[len(y.l.lines)-1]
	l.to, l.last = y.b.Len(), at
}
