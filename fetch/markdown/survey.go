package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// A survey is what has to be known of a page before the first node changes.
type survey struct {
	base   string // the address in the first base element
	tables map[*html.Node]*tableFacts
	notes  fragments
	tabs   tabLabels
}

// tableFacts say whether a table is one, or a way to lay out a page.
type tableFacts struct {
	presentation bool // its role says so
	headers      bool // it has th, thead or caption
	inner        bool // it holds tables that are tables
	outline      bool // it holds the headings of a page, or forms
	divided      bool // it holds smaller headings or rules
	bigCell      bool // a cell holds a long text in blocks
	rows         int
	widest       int // cells of the widest row
	cells        int // cells of the row at hand
	blocks       int // block elements met in the cell at hand
	text         int // bytes of text met before the cell at hand
}

// bigCell is the size in bytes of a cell's text above which blocks in it are
// taken for parts of the page rather than for a cell's content.
const bigCell = 2000

// look walks the page once, without recursion, and flattens what is deeper
// than o.MaxDepth, so that everything after it may recurse.
func look(counter *work, doc *html.Node, o Options) *survey {
	s := &survey{tables: map[*html.Node]*tableFacts{}, tabs: tabLabels{}}
	w := walker{survey: s}
	depth, nodes := 0, 0
	for n := doc; n != nil; {
		if nodes++; nodes > o.MaxNodes {
			counter.GiveUp("the page has more than %d elements and texts", o.MaxNodes)
		}
		if depth >= o.MaxDepth && n.FirstChild != nil {
			counter.flatten(n)
		}
		counter.Step(1)
		w.enter(n)
		s.tabs.enter(counter, n)
		if n.FirstChild != nil {
			n, depth = n.FirstChild, depth+1
			continue
		}
		for n != nil && n.NextSibling == nil {
			w.leave(n)
			if n == doc {
				return s
			}
			n, depth = n.Parent, depth-1
		}
		if n != nil {
			w.leave(n)
			if n == doc {
				return s
			}
			n = n.NextSibling
		}
	}
	return s
}

type walker struct {
	*survey
	open    []*tableFacts
	text    int
	hasBase bool
}

func (w *walker) enter(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.text += len(strings.TrimSpace(n.Data))
	case html.ElementNode:
		w.notes.enter(n)
		if n.DataAtom == atom.Table {
			w.enterTable(n)
		} else if n.DataAtom == atom.Base && !w.hasBase {
			w.base, w.hasBase = tree.Attr(n, "href")
		} else if len(w.open) > 0 {
			w.open[len(w.open)-1].enter(n.DataAtom, w.text)
		}
	}
}

func (w *walker) enterTable(n *html.Node) {
	role := tree.AttrOr(n, "role")
	t := &tableFacts{presentation: role == "presentation" || role == "none"}
	w.tables[n] = t
	w.open = append(w.open, t)
}

func (t *tableFacts) enter(name atom.Atom, text int) {
	switch name {
	case atom.Th, atom.Td:
		t.headers = t.headers || name == atom.Th
		t.cells++
		t.widest = max(t.widest, t.cells)
		t.text, t.blocks = text, 0
	case atom.Tr:
		t.rows++
		t.cells = 0
	case atom.Thead, atom.Caption:
		t.headers = true
	case atom.H1, atom.H2, atom.Form:
		t.outline = true
	case atom.H3, atom.H4, atom.H5, atom.H6, atom.Hr:
		t.divided = true
	case atom.P, atom.Div, atom.Ul, atom.Ol, atom.Pre, atom.Blockquote, atom.Section, atom.Article:
		t.blocks++
	}
}

func (w *walker) leave(n *html.Node) {
	if n.Type != html.ElementNode || len(w.open) == 0 {
		return
	}
	t := w.open[len(w.open)-1]
	switch n.DataAtom {
	case atom.Td, atom.Th:
		t.bigCell = t.bigCell || t.blocks > 1 && w.text-t.text > bigCell
	case atom.Table:
		w.open = w.open[:len(w.open)-1]
		if len(w.open) > 0 {
			outer := w.open[len(w.open)-1]
			outer.inner = outer.inner || !t.isLayout()
			outer.outline = outer.outline || t.outline
			outer.bigCell = outer.bigCell || t.bigCell
		}
	}
}

// isLayout reports whether the cells of the table are parts of a page.
func (t *tableFacts) isLayout() bool {
	switch {
	case t.presentation || t.rows == 0 || t.outline || t.bigCell:
		return true
	case t.headers:
		return false
	}
	return t.inner || t.divided || t.widest < 2
}

// flatten leaves n the texts, images and line breaks below it, without the
// elements they stood in. A block among those becomes a line.
func (w *work) flatten(n *html.Node) {
	var kept []*html.Node
	for d := range w.Below(n) {
		switch {
		case d.Type == html.TextNode || tree.Is(d, atom.Img, atom.Br):
			kept = append(kept, d)
		case d.Type == html.ElementNode && tree.IsBlock(d):
			kept = append(kept, tree.Element(atom.Br))
		case tree.Is(d, atom.Script, atom.Style, atom.Template):
			tree.Clear(d)
		}
	}
	for _, k := range kept {
		tree.Remove(k)
	}
	tree.Clear(n)
	for _, k := range kept {
		n.AppendChild(k)
	}
}
