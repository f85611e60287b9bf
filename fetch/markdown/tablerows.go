package markdown

import (
	"iter"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// rowsOf yields the rows of a table that parts has cleaned, as browsers show
// them: the head first and the foot last, wherever they stand in the source.
func (w *work) rowsOf(table *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for place := range places {
			for part := table.FirstChild; part != nil; {
				next := part.NextSibling
				if placeOf(part) == place && !rowsIn(part, yield) {
					return
				}
				part = next
			}
		}
	}
}

// places is how many places there are in a table: its head, body and foot.
const places = 3

func placeOf(part *html.Node) int {
	switch {
	case tree.Is(part, atom.Thead):
		return 0
	case tree.Is(part, atom.Tfoot):
		return places - 1
	}
	return 1
}

func rowsIn(part *html.Node, yield func(*html.Node) bool) bool {
	if tree.Is(part, atom.Tr) {
		return yield(part)
	}
	for row := part.FirstChild; row != nil; {
		after := row.NextSibling
		if tree.Is(row, atom.Tr) && !yield(row) {
			return false
		}
		row = after
	}
	return true
}

// isHead reports whether a row has none but header cells, or stands in the head
// of the table.
func isHead(tr *html.Node) bool {
	if tree.Is(tr.Parent, atom.Thead) {
		return true
	}
	heads := 0
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if named(c, "td") && c.FirstChild != nil {
			return false
		}
		if named(c, "th") {
			heads++
		}
	}
	return heads > 1
}

// mayBeTitle reports whether a cell is the only one of its row and spans
// several columns: one on top is written above the table.
func mayBeTitle(cell *html.Node) bool {
	return span(cell, "colspan") > 1 && firstElement(cell.Parent) == cell && lastElement(cell.Parent) == cell
}
