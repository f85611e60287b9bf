package page

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// MaxText is how many bytes the text of one element has at most; what comes
// after is left out. Elements in each other repeat their text.
const MaxText = graph.MaxText

// Shown returns the text in and below n as a browser shows it: white space is
// one space, block elements, cells and br begin a line ("\n"), and scripts,
// styles, templates and what is hidden inside n are left out. Whether n itself
// is hidden does not matter.
func (p *Page) Shown(n *html.Node) string { return p.write(n, false) }

// Full is [Page.Shown] with what is hidden inside n, too: what is marked up
// for machines need not be shown.
func (p *Page) Full(n *html.Node) string { return p.write(n, true) }

func (p *Page) write(n *html.Node, hidden bool) string {
	w := writer{meter: p.Meter, hidden: hidden}
	w.children(n)
	return w.b.String()
}

// Collapse returns a text with each run of white space as one space, and none
// at its ends.
func Collapse(s string) string {
	w := writer{}
	w.text(s)
	return w.b.String()
}

// writer writes text as a browser lays it out.
type writer struct {
	meter  *effort.Meter
	hidden bool // what is hidden is written, too
	pre    int  // elements around that keep line breaks
	b      strings.Builder
	// space and line say what is to be written before the next word.
	space, line bool
	full        bool // the limit is reached
}

func (w *writer) children(n *html.Node) {
	for c := n.FirstChild; c != nil && !w.full; c = c.NextSibling {
		w.meter.Step(1)
		switch c.Type {
		case html.TextNode:
			w.meter.Read(len(c.Data))
			w.text(c.Data)
		case html.ElementNode:
			w.element(c)
		}
	}
}

func (w *writer) element(n *html.Node) {
	if IsSilent(n) || !w.hidden && tree.IsHidden(n) {
		return
	}
	if n.DataAtom == atom.Br {
		w.line = true
		return
	}
	block := IsBlock(n)
	w.line = w.line || block
	if n.DataAtom == atom.Pre {
		w.pre++
		defer func() { w.pre-- }()
	}
	w.children(n)
	w.line = w.line || block
}

func (w *writer) text(s string) {
	for s != "" && !w.full {
		word, size := nextWord(s)
		if word == "" {
			w.space = true
			w.line = w.line || w.pre > 0 && strings.Contains(s[:size], "\n")
		} else {
			w.word(word)
		}
		s = s[size:]
	}
}

func (w *writer) word(s string) {
	gap := ""
	switch {
	case w.b.Len() == 0:
	case w.line:
		gap = "\n"
	case w.space:
		gap = " "
	}
	w.line, w.space = false, false
	if room := MaxText - w.b.Len() - len(gap); len(s) > room {
		w.full = true
		s = cut(s, room)
	}
	if s != "" {
		w.b.WriteString(gap)
		w.b.WriteString(s)
	}
}

// cut returns the characters of s that fit into size bytes.
func cut(s string, size int) string {
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:max(size, 0)]
}

// nextWord returns what s begins with and its size: a word, or "" for a run of
// white space. A space that does not break counts as one.
func nextWord(s string) (word string, size int) {
	for size < len(s) {
		if n := blank(s[size:]); n > 0 {
			if size > 0 {
				return s[:size], size
			}
			for size < len(s) && n > 0 {
				size += n
				n = blank(s[size:])
			}
			return "", size
		}
		size++
	}
	return s, size
}

// blank returns the size of the white space that s begins with, else 0.
func blank(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == ' ' || '\t' <= s[0] && s[0] <= '\r':
		return 1
	case strings.HasPrefix(s, "\u00A0"), strings.HasPrefix(s, "\u0085"):
		return 2
	case strings.HasPrefix(s, "\u202F"), strings.HasPrefix(s, "\u2009"):
		return 3
	}
	return 0
}
