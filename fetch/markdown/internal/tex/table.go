package tex

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// matrices are the environments for tables between fences.
var matrices = map[string]string{
	"()": "pmatrix", "[]": "bmatrix", "{}": "Bmatrix", "||": "vmatrix", "‖‖": "Vmatrix", "∥∥": "Vmatrix", "{": "cases",
}

// table writes a table without fences.
func (w *writer) table(n *html.Node) {
	name := "matrix"
	if strings.HasPrefix(strings.TrimSpace(tree.AttrOr(n, "columnalign")), "right left") {
		name = "aligned"
	}
	w.matrix(n, name)
}

// matrix writes the rows of a table as those of an environment.
func (w *writer) matrix(table *html.Node, name string) {
	w.put(`\begin{` + name + "} ")
	first := true
	for tr := table.FirstChild; tr != nil; tr = tr.NextSibling {
		w.Step(1)
		if !is(tr, "mtr", "mlabeledtr") {
			continue
		}
		if !first {
			w.put(` \\ `)
		}
		first = false
		w.cells(tr)
	}
	w.put(` \end{` + name + "}")
}

// cells writes a row. The first child of a labelled one is its label.
func (w *writer) cells(tr *html.Node) {
	cells := children(tr)
	if tr.Data == "mlabeledtr" && len(cells) > 0 {
		cells = cells[1:]
	}
	for i, c := range cells {
		if i > 0 {
			w.put(" & ")
		}
		w.node(c)
	}
}

// matrixIn writes a table between two fences that c opens, and returns the one
// that closes; nil if there is none.
func (w *writer) matrixIn(c *html.Node) *html.Node {
	open := fence(c)
	if open == "" {
		return nil
	}
	table := tree.NextElement(c)
	if !is(only(table), "mtable") {
		return nil
	}
	end := tree.NextElement(table)
	name := matrices[open+fence(end)]
	if name == "" || fence(end) == "" {
		return nil
	}
	w.matrix(only(table), name)
	return end
}

// cases writes a row that is a brace and a table, which nothing closes, or a
// closing fence of no width.
func (w *writer) cases(row *html.Node) bool {
	var args []*html.Node
	for c := row.FirstChild; c != nil && len(args) < 4; c = c.NextSibling {
		if c.Type == html.ElementNode {
			args = append(args, c)
		}
	}
	if len(args) < 2 || len(args) > 3 || fence(args[0]) != "{" || !is(only(args[1]), "mtable") || len(args) == 3 && !(is(args[2], "mo") && fence(args[2]) == "") {
		return false
	}
	w.matrix(only(args[1]), "cases")
	return true
}
