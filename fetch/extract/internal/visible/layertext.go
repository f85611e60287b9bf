package visible

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

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

func (y *layer) firstIsGap(at int) bool {
	c := y.b.String()[at]
	return c == ' ' || c == '\n'
}
