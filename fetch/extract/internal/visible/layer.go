package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

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
	main, size := surveyed(p)
	y.l.nodes, y.l.lines = make([]node, 0, size.nodes), make([]line, 0, size.lines)
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
	if page.IsSilent(n) || tree.IsHidden(n) || isEcho(n) || isNoteMark(n) {
		return
	}
	i := y.enter(n, up, f)
	block := y.l.nodes[i].is(isBlock) || n.DataAtom == atom.Br
	if block {
		y.gap = '\n'
	} else if y.gap == 0 && (n.DataAtom == atom.Input || y.isPriceBehindName(n)) {
		y.gap = ' '
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
