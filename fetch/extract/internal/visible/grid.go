package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	tables "github.com/drover-go/drover/internal/grid"
	"github.com/drover-go/drover/internal/mention"
)

// A grid is a table of data: its cells by row and column, of which one that
// spans several stands in each of them.
type grid struct {
	table   int
	title   int // the caption, or the cell of a row on top that is over all columns, or -1
	foot    int // the node, or 0
	rows    [][]cell
	columns int
	// head is how many rows on top name the columns, and side says that the
	// first column names the rows.
	head int
	side bool
	// isTurned says that the rows are the columns of the table.
	isTurned bool
}

type cell struct {
	node int
	// again says that it began in another row or column.
	again bool
}

// surveyTables finds the tables of data.
func (r *reader) surveyTables() {
	for i := range r.nodes {
		if r.nodes[i].named(atom.Table) && !r.nodes[i].is(inTable) {
			if g := r.gridOf(i); g != nil {
				r.grids = append(r.grids, g)
				for c := i + 1; c < r.nodes[i].end; c++ {
					r.nodes[c].flags |= inTable
				}
			}
		}
	}
}

// gridOf returns the grid of a table of data, or nil for one that only lays
// out the page.
func (r *reader) gridOf(table int) *grid {
	if role := attr(r.nodes[table].el, "role"); role == "presentation" || role == "none" {
		return nil
	}
	g, layout := r.rowsOf(table)
	if g.foot > 0 {
		r.fill(g, layout, g.foot)
	}
	if g.columns < 2 || len(g.rows) == 0 || !r.isData(g) {
		return nil
	}
	r.findHeaders(g)
	return g
}

// rowsOf returns the rows of a table but those of its foot.
func (r *reader) rowsOf(table int) (*grid, *tables.Layout[cell]) {
	g := &grid{table: table, title: -1}
	layout := &tables.Layout[cell]{
		Columns: r.o.MaxColumns, Budget: 4*(r.nodes[table].end-table) + 64, Again: func(c cell) cell { return cell{c.node, true} },
	}
	r.fill(g, layout, table)
	return g, layout
}

// fill puts the rows in node i where they belong.
func (r *reader) fill(g *grid, layout *tables.Layout[cell], i int) {
	for c, n := range r.below(i) {
		switch {
		case n.named(atom.Tfoot):
			g.foot = c // which may stand before the rows
		case n.named(atom.Thead, atom.Tbody):
			layout.EndGroup()
			r.fill(g, layout, c)
			layout.EndGroup()
		case n.named(atom.Caption) && g.title < 0 && n.from < n.to:
			g.title = c
		case n.named(atom.Tr):
			if row := r.rowOf(layout, c); len(row) > 0 {
				g.columns = max(g.columns, len(row))
				g.rows = append(g.rows, row)
			}
		}
	}
}

// rowOf returns the cells of a row: its own, and those that reach into it from
// above.
func (r *reader) rowOf(layout *tables.Layout[cell], tr int) []cell {
	for c, n := range r.below(tr) {
		if n.named(atom.Td, atom.Th) && !layout.Put(cell{node: c}, tables.Span(attr(n.el, "colspan")), tables.Span(attr(n.el, "rowspan"))) {
			break
		}
	}
	return layout.EndRow()
}

// isData reports whether a table holds data and does not lay out the page.
func (r *reader) isData(g *grid) bool {
	heads, cells, long, rich, empty := 0, 0, 0, 0, 0
	for _, row := range g.rows {
		for _, c := range row {
			r.Meter.Step(1)
			if c.again {
				continue
			}
			cells++
			n := &r.nodes[c.node]
			switch {
			case n.named(atom.Th) && n.from < n.to:
				heads++
			case n.from == n.to:
				empty++
			case n.lineEnd-n.line > 6 || n.to-n.from > 400:
				long++
			}
			if n.is(hasTable) {
				rich++
			}
		}
	}
	n := &r.nodes[g.table]
	switch holdsTitle := g.table < r.titleNode && r.titleNode < n.end; {
	case holdsTitle || n.to-n.from > len(r.text)/2 && rich > 0:
		return false
	case heads > 0 || g.title >= 0:
		return rich*4 <= cells
	}
	return rich == 0 && len(g.rows) > 1 && 5*long <= cells && 2*empty <= cells
}

// maxHead is how many rows can name the columns.
const maxHead = 4

// findHeaders finds the title of a table, and the rows and the column that name the
// others.
func (r *reader) findHeaders(g *grid) {
	for len(g.rows) > 1 && r.isBanner(g, g.rows[0]) { // a title, or an image
		if n := &r.nodes[g.rows[0][0].node]; g.title < 0 && n.from < n.to {
			g.title = g.rows[0][0].node
		}
		g.rows = g.rows[1:]
	}
	for g.head < len(g.rows) && g.head < maxHead && !r.isBanner(g, g.rows[g.head]) && r.isHeadRow(g, g.head) {
		g.head++
	}
	if g.head == len(g.rows) {
		g.head = 0
	}
	if g.head == 0 && len(g.rows) > 2 && r.looksLikeHead(g) && (g.columns > 2 || !r.holdsLabels(g)) {
		g.head = 1
	}
	heads := 0
	for _, row := range g.rows[g.head:] {
		if n := &r.nodes[row[0].node]; n.named(atom.Th) || attr(n.el, "scope") == "row" {
			heads++
		}
	}
	g.side = heads > 0 && 2*heads >= len(g.rows)-g.head
}

// isBanner reports whether a row is one cell over all columns, or one without
// others in bold: a title between rows, which names no value.
func (r *reader) isBanner(g *grid, row []cell) bool {
	first, full := row[0], r.fullCells(row)
	if g.columns < 2 || first.again || len(full) > 1 || len(full) == 1 && full[0] != first.node {
		return false
	}
	n := &r.nodes[first.node]
	return row[len(row)-1].node == first.node ||
		n.from < n.to && (g.columns > 2 || n.named(atom.Th)) && r.isBold(first.node) && attr(n.el, "scope") != "row"
}

// fullCells returns the cells of a row that hold something, each once.
func (r *reader) fullCells(row []cell) (full []int) {
	for _, c := range row {
		if n := &r.nodes[c.node]; (n.from < n.to || n.is(hasImage)) && (len(full) == 0 || full[len(full)-1] != c.node) {
			full = append(full, c.node)
		}
	}
	return full
}

// isHeadRow reports whether a row has none but header cells, or stands in the
// head of the table.
func (r *reader) isHeadRow(g *grid, at int) bool {
	heads, others := 0, 0
	for _, c := range g.rows[at] {
		r.Meter.Step(1)
		switch n := &r.nodes[c.node]; {
		case n.named(atom.Th) && attr(n.el, "scope") == "row":
			return false
		case n.named(atom.Th):
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
// saying so: short texts without numbers that are in bold, over columns of
// numbers, or known to be heads.
func (r *reader) looksLikeHead(g *grid) bool {
	bold, known, numbers := 0, 0, false
	for col, c := range g.rows[0] {
		text := r.textOf(c.node)
		if len(text) > maxName || col > 0 && (text == "" || mention.HasDigit(text)) {
			return false
		}
		if r.isBold(c.node) {
			bold++
		}
		if is("column head", strings.ToLower(mention.Label(text))) {
			known++
		}
		numbers = numbers || col < len(g.rows[1]) && !mention.HasDigit(text) && mention.HasDigit(r.textOf(g.rows[1][col].node))
	}
	return numbers || 2*max(bold, known) > len(g.rows[0])
}

// holdsLabels reports whether every second column holds labels: short texts in
// bold, with a colon, or, of two columns, without a number.
func (r *reader) holdsLabels(g *grid) bool {
	good, total := 0, 0
	for _, row := range g.rows {
		for col := 0; col+1 < len(row); col += 2 {
			text := r.textOf(row[col].node)
			if text == "" && col > 0 {
				continue
			}
			total++
			name := mention.Label(text)
			if name != "" && countWords(name) <= 5 && (r.isBold(row[col].node) || strings.HasSuffix(text, ":") || g.columns == 2 && !mention.HasDigit(name)) {
				good++
			}
		}
	}
	return g.columns%2 == 0 && total > 0 && 4*good >= 3*total
}
