package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/shorten"
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
func Collapse(s string) string { return strings.Join(strings.FieldsFunc(s, isBlank), " ") }

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
		size := strings.IndexFunc(s, isBlank)
		if size < 0 {
			size = len(s)
		}
		if size > 0 {
			w.word(s[:size])
		}
		rest := strings.TrimLeftFunc(s[size:], isBlank)
		if blank := s[size : len(s)-len(rest)]; blank != "" {
			w.space = true
			w.line = w.line || w.pre > 0 && strings.Contains(blank, "\n")
		}
		s = rest
	}
}

// isBlank reports whether a character is white space; a space that does not break
// is, too.
func isBlank(c rune) bool {
	switch c {
	case ' ', '\t', '\n', '\v', '\f', '\r', '\u0085', '\u00A0', '\u2009', '\u202F':
		return true
	}
	return false
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
	if room := max(MaxText-w.b.Len()-len(gap), 0); len(s) > room {
		w.full = true
		s = shorten.Prefix(s, room)
	}
	if s != "" {
		w.b.WriteString(gap)
		w.b.WriteString(s)
	}
}
