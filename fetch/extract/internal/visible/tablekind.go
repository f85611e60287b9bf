package visible

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// isData reports whether a table holds data and does not lay out the page.
func (r *reader) isData(g *grid) bool {
	n := &r.nodes[g.table]
	heads, cells, long, rich, empty := 0, 0, 0, 0, 0
	for _, row := range g.rows {
		for _, c := range row {
			r.Meter.Step(1)
			if c.again {
				continue
			}
			cells++
			switch n := &r.nodes[c.node]; {
			case n.named(atom.Th) && n.from < n.to:
				heads++
			case n.from == n.to:
				empty++
			case n.lineEnd-n.line > 6 || n.to-n.from > 400:
				long++
			}
			if r.nodes[c.node].is(hasTable) {
				rich++
			}
		}
	}
	switch {
	case r.holdsTitle(g.table) || n.to-n.from > len(r.text)/2 && rich > 0:
		return false
	case heads > 0 || g.caption >= 0:
		return rich*4 <= cells
	case rich > 0 || len(g.rows) < 2:
		return false
	}
	return 5*long <= cells && 2*empty <= cells && r.isEven(g)
}

func (r *reader) holdsTitle(i int) bool { return i < r.titleNode && r.titleNode < r.nodes[i].end }

// isEven reports whether most rows have as many cells as the widest.
func (r *reader) isEven(g *grid) bool {
	even := 0
	for _, row := range g.rows {
		if len(row) == g.columns {
			even++
		}
	}
	return 3*even >= 2*len(g.rows)
}

// maxHead is how many rows can name the columns.
const maxHead = 4

// findHeaders finds the rows and the column that name the others.
func (r *reader) findHeaders(g *grid) {
	for g.head < len(g.rows) && g.head < maxHead && r.isHeadRow(g, g.head) {
		g.head++
	}
	if g.head == len(g.rows) {
		g.head = 0
	}
	if g.head == 0 && g.columns > 2 && len(g.rows) > 2 && r.looksLikeHead(g) {
		g.head = 1
	}
	if g.columns == 2 && g.head == 0 && len(g.rows) > 2 && r.looksLikeHead(g) && !r.isLabelColumn(g) {
		g.head = 1
	}
	g.side = r.hasHeadColumn(g)
}

// isHeadRow reports whether a row has none but header cells, or stands in the
// head of the table.
func (r *reader) isHeadRow(g *grid, at int) bool {
	heads, others := 0, 0
	for _, c := range g.rows[at] {
		r.Meter.Step(1)
		switch n := &r.nodes[c.node]; {
		case n.named(atom.Th):
			if attr(n.el, "scope") == "row" {
				return false
			}
			heads++
		case n.from < n.to && !c.again:
			others++
		}
	}
	if others == 0 && heads > 0 {
		return heads > 1 || at > 0 || len(g.rows[at]) == 1
	}
	tr := r.nodes[g.rows[at][0].node].up
	return tr >= 0 && r.nodes[tr].up >= 0 && r.nodes[r.nodes[tr].up].named(atom.Thead)
}

// looksLikeHead reports whether the first row names the columns without
// saying so: short texts without numbers in bold or over columns of numbers.
func (r *reader) looksLikeHead(g *grid) bool {
	bold, numbers := 0, false
	for col, c := range g.rows[0] {
		n := &r.nodes[c.node]
		text := r.text[n.from:n.to]
		if n.to-n.from > maxName || col > 0 && (text == "" || hasDigit(text)) {
			return false
		}
		if r.isBold(c.node) {
			bold++
		}
		if col < len(g.rows[1]) {
			below := &r.nodes[g.rows[1][col].node]
			numbers = numbers || !hasDigit(text) && hasDigit(r.text[below.from:below.to])
		}
	}
	return 2*bold > len(g.rows[0]) && !r.isBoldRow(g, 1) || numbers
}

// isBold reports whether all words of a cell are in bold, or its class says
// that it is a header.
func (r *reader) isBold(i int) bool {
	in := &r.nodes[r.unwrapped(i)]
	if in.named(atom.B, atom.Strong) || r.nodes[i].named(atom.Th) {
		return true
	}
	class := strings.ToLower(cut(attr(r.nodes[i].el, "class"), maxNames))
	return strings.Contains(class, "head") || strings.Contains(class, "label")
}

func (r *reader) isBoldRow(g *grid, at int) bool {
	bold := 0
	for _, c := range g.rows[at] {
		if r.isBold(c.node) {
			bold++
		}
	}
	return 2*bold > len(g.rows[at])
}

// hasHeadColumn reports whether the first cells of the rows name them.
func (r *reader) hasHeadColumn(g *grid) bool {
	heads := 0
	for _, row := range g.rows[g.head:] {
		if n := &r.nodes[row[0].node]; n.named(atom.Th) || attr(n.el, "scope") == "row" {
			heads++
		}
	}
	return heads > 0 && 2*heads >= len(g.rows)-g.head
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
