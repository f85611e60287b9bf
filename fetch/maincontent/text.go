package maincontent

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
)

// Text returns the content as a reader sees it: a line for each paragraph,
// heading, item and row, tabs between the cells of a row, white space brought
// together except in preformatted text, formulas that stand in scripts as TeX
// between dollar signs. It reads Tree, and so has to be called
// before Tree is converted.
func (r *Result) Text() string {
	var w writer
	root := r.Tree
	for n := root; n != nil; {
		if n.FirstChild != nil && !blocks.IsUnseen(n) {
			w.enter(n)
			n = n.FirstChild
			continue
		}
		w.leaf(n)
		for n != root && n.NextSibling == nil {
			n = n.Parent
			w.leave(n)
		}
		if n == root {
			break
		}
		n = n.NextSibling
	}
	return w.String()
}

// A writer puts words on lines.
type writer struct {
	strings.Builder
	gap byte // what is due before the next word: 0, ' ', '\t' or '\n'
	pre int
}

func (w *writer) enter(n *html.Node) {
	w.edge(n)
	if tree.Is(n, atom.Pre) {
		w.pre++
	}
}

func (w *writer) leave(n *html.Node) {
	w.edge(n)
	if tree.Is(n, atom.Pre) {
		w.pre--
	}
}

// edge is the beginning or end of an element.
func (w *writer) edge(n *html.Node) {
	switch {
	case n.Type != html.ElementNode:
	case tree.Is(n, atom.Td, atom.Th):
		w.due('\t')
	case blocks.Breaks(n):
		w.due('\n')
	}
}

// due asks for a gap; a wider one wins.
func (w *writer) due(gap byte) {
	if w.gap == 0 || w.gap == ' ' || gap == '\n' {
		w.gap = gap
	}
}

func (w *writer) leaf(n *html.Node) {
	switch {
	case n.Type == html.TextNode && w.pre > 0:
		w.put(n.Data)
	case n.Type == html.TextNode:
		w.text(n.Data)
	case tree.Is(n, atom.Script) && n.FirstChild != nil: // pruned trees hold no others
		w.put("$" + strings.TrimSpace(n.FirstChild.Data) + "$")
	case tree.Is(n, atom.Br, atom.Hr):
		w.due('\n')
	case n.Type == html.ElementNode:
		w.edge(n)
	}
}

// put writes a piece, after the gap that is due.
func (w *writer) put(s string) {
	if w.gap != 0 && w.Len() > 0 {
		w.WriteByte(w.gap)
	}
	w.gap = 0
	w.WriteString(s)
}

func (w *writer) text(s string) {
	for s != "" {
		word := strings.TrimLeft(s, " \t\r\n\f")
		if len(word) < len(s) && w.gap == 0 {
			w.gap = ' '
		}
		end := strings.IndexAny(word, " \t\r\n\f")
		if end < 0 {
			end = len(word)
		}
		if end > 0 {
			w.put(word[:end])
		}
		s = word[end:]
	}
}
