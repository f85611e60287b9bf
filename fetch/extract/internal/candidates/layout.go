package candidates

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// A layout is the shown elements of a page in their order, over one text in
// which white space is one space and blocks begin lines.
type layout struct {
	meter *effort.Meter
	nodes []node
	text  string
	url   string
	title string
}

// A node is a shown element.
type node struct {
	el       *html.Node
	up       int // its parent, or -1
	end      int // the node after all that are in it
	from, to int // its text
	links    int // how much of it is in links
	own      int // how much of it is in no element of its own
	breaks   int // br elements in it
	blocks   int // block elements with text in it
	class    string
	place    place // by its own names and those around it
}

func (n *node) is(names ...atom.Atom) bool { return tree.Is(n.el, names...) }

func (n *node) size() int { return n.to - n.from }

// A setter lays a page out.
type setter struct {
	*layout
	b           strings.Builder
	up          int
	inLink      int
	space, line bool
}

// maxPageText is how much text of a page is looked at, in bytes.
const maxPageText = 4 << 20

func lay(p *page.Page) *layout {
	l := &layout{meter: p.Meter}
	if p.URL != nil {
		l.url = p.URL.Path
	}
	s := &setter{layout: l, up: -1}
	for n := range p.Elements() {
		if n.DataAtom == atom.Title && n.FirstChild != nil && l.title == "" {
			l.title = cut(n.FirstChild.Data, 300)
		}
		if n.DataAtom == atom.Body && n.Namespace == "" {
			s.element(n)
			break
		}
	}
	if len(l.nodes) == 0 { // a part of a page
		for n := p.Doc.FirstChild; n != nil; n = n.NextSibling {
			if n.Type == html.ElementNode {
				s.element(n)
			}
		}
	}
	l.text = s.b.String()
	for i := range l.nodes {
		n := &l.nodes[i]
		n.from, n.to = l.trim(n.from, n.to)
	}
	return l
}

// trim returns a stretch of the text without white space at its ends.
func (l *layout) trim(from, to int) (int, int) {
	for from < to && l.text[from] <= ' ' {
		from++
	}
	for to > from && l.text[to-1] <= ' ' {
		to--
	}
	return from, to
}

func (s *setter) element(n *html.Node) {
	s.meter.Step(1)
	if page.IsSilent(n) || tree.IsHidden(n) || s.b.Len() > maxPageText {
		return
	}
	if n.DataAtom == atom.Br {
		s.line = true
		if s.up >= 0 {
			s.nodes[s.up].breaks++
		}
		return
	}
	block, at, up := page.IsBlock(n), len(s.nodes), s.up
	s.nodes = append(s.nodes, node{el: n, up: up, from: s.b.Len(), class: classOf(n), place: s.placeOf(n)})
	s.up, s.line = at, s.line || block
	if n.DataAtom == atom.A {
		s.inLink++
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			s.words(c.Data)
		} else if c.Type == html.ElementNode {
			s.element(c)
		}
	}
	if n.DataAtom == atom.A {
		s.inLink--
	}
	s.up, s.line = up, s.line || block
	s.close(at, block)
}

// close ends a node and tells the one around it what was in it.
func (s *setter) close(at int, block bool) {
	n := &s.nodes[at]
	n.end, n.to = len(s.nodes), s.b.Len()
	if n.up < 0 {
		return
	}
	around := &s.nodes[n.up]
	around.links += n.links
	around.blocks += n.blocks
	if block && n.to > n.from {
		around.blocks++
	} else if !block {
		around.breaks += n.breaks
	}
}

// words writes the words of a text.
func (s *setter) words(text string) {
	s.meter.Read(len(text))
	for text != "" {
		i := strings.IndexFunc(text, isSpace)
		switch {
		case i == 0:
			s.space = true
			text = strings.TrimLeftFunc(text, isSpace)
			continue
		case i < 0:
			i = len(text)
		}
		s.word(text[:i])
		text = text[i:]
	}
}

func (s *setter) word(word string) {
	switch {
	case s.b.Len() == 0:
	case s.line:
		s.b.WriteByte('\n')
	case s.space:
		s.b.WriteByte(' ')
	}
	s.space, s.line = false, false
	s.b.WriteString(word)
	n := &s.nodes[s.up]
	n.own += len(word)
	if s.inLink > 0 {
		n.links += len(word)
	}
}

// isSpace reports whether a character separates words.
func isSpace(c rune) bool {
	return c == ' ' || '\t' <= c && c <= '\r' || c == '\u00A0' || c == '\u0085' || c == '\u202F' || c == '\u2009' || c == '\u200B' || c == '\uFEFF'
}

// cut returns the beginning of a text, in valid UTF-8.
func cut(s string, size int) string {
	if len(s) > size {
		s = strings.ToValidUTF8(s[:size], "")
	}
	return s
}

// classOf returns what elements that are built alike have in common: the name
// and the classes, without the digits of those that count.
func classOf(n *html.Node) string {
	class := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, cut(tree.AttrOr(n, "class"), 200))
	if class == "" {
		return n.Data
	}
	words := slices.DeleteFunc(strings.Fields(class), func(word string) bool { return counting[word] })
	return n.Data + "." + strings.Join(words, ".")
}

// counting are classes that tell one of several alike from the others.
var counting = map[string]bool{"odd": true, "even": true, "first": true, "last": true, "active": true, "alt": true, "alternate": true}
