package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// specification reads a table of labels and values.
func (r *reader) specification(g *grid) {
	part := r.nodes[g.table].part
	last := ""
	for _, row := range append(g.rows[:len(g.rows):len(g.rows)], g.feet...) {
		for col := 0; col+1 < len(row); col += 2 {
			if row[col].node == row[col+1].node {
				continue
			}
			name := nameOf(withoutNotes(r.textOf(row[col].node)))
			if r.nodes[row[col].node].from == r.nodes[row[col].node].to {
				name = last // another value of the label above
			}
			last = name
			if items := r.listIn(row[col+1].node); len(items) > 1 {
				r.addItems(part, name, items, graph.Table)
				continue
			}
			r.cellValue(part, name, row[col+1].node)
			r.cellAddress(part, name, row[col+1].node)
		}
	}
}

// cellAddress adds the address of a link that shows an address: that of a
// website.
func (r *reader) cellAddress(part int, name string, i int) {
	a := r.firstLink(i)
	if a < 0 || strings.ContainsAny(r.textOf(i), " @") || !strings.Contains(r.textOf(i), ".") {
		return
	}
	if v, ok := r.address(attr(r.nodes[a].el, "href"), r.textOf(a), graph.Table, a); ok {
		r.add(part, name, v)
	}
}

// isLabelColumn reports whether the first of two columns holds labels: short
// texts, each another, in bold or with a colon, or without a number.
func (r *reader) isLabelColumn(g *grid) bool {
	good, total := 0, 0
	for _, row := range g.rows {
		if len(row) < 2 {
			continue
		}
		total++
		name := nameOf(r.textOf(row[0].node))
		if name != "" && countWords(name) <= 5 && (r.isBold(row[0].node) || !hasDigit(name)) {
			good++
		}
	}
	return total > 0 && 4*good >= 3*total
}

// isDouble reports whether a table of four columns has labels in the first and
// third.
func (r *reader) isDouble(g *grid) bool {
	good, total := 0, 0
	for _, row := range g.rows {
		for col := 0; col+1 < len(row); col += 2 {
			n := &r.nodes[row[col].node]
			if n.from == n.to {
				continue
			}
			total++
			if n.named(atom.Th) || r.isBold(row[col].node) || r.text[n.to-1] == ':' {
				good++
			}
		}
	}
	return total > 1 && 4*good >= 3*total
}
