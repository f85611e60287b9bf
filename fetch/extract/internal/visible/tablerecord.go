package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// records reads a table whose first rows name the columns: a row is an entity.
// A row over all columns is the heading of those that follow.
func (r *reader) records(g *grid, name string) {
	t := recorder{reader: r, grid: g, columns: r.columnsOf(g), name: name, part: r.nodes[g.table].part}
	t.naming = t.namingColumn()
	for at, row := range g.rows[g.head:] {
		if r.entities >= r.o.MaxEntities {
			return
		}
		switch {
		case r.isBanner(g, row):
			t.group = r.headName(row[0].node)
		case r.isTotal(g, at+g.head):
			r.total(row, t.part)
		case r.isInnerHead(row):
			t.rename(row)
		default:
			t.record(row)
		}
	}
	for _, row := range g.feet {
		r.total(row, t.part)
	}
}

// recorder is where the reading of a table stands.
type recorder struct {
	*reader
	grid    *grid
	columns []column
	name    string
	part    int
	// naming is the column that says what a row is, or -1.
	naming int
	// group is the heading between the rows that stands above the one at hand.
	group string
}

func (t *recorder) record(row []cell) {
	tr := t.rowNode(row)
	e := &graph.Entity{Source: graph.Table, Element: t.nodes[tr].el}
	v := t.thing(e, tr)
	t.add(t.part, t.name, v)
	if t.group != t.name {
		t.add(t.part, t.group, v)
	}
	in := t.newPart(e, tr, t.part)
	for col, c := range row {
		if col < len(t.columns) && (col == 0 || row[col-1].node != c.node) {
			t.addCell(in, t.columns[col], c.node)
		}
	}
	if t.naming >= 0 && t.naming < len(row) {
		t.cellValue(in, "name", row[t.naming].node)
	}
	if t.group != "" && !t.has(in, "category") {
		t.add(in, "category", t.textValue(t.group, graph.Table, e.Element))
	}
	t.cellLinks(in, tr)
}

// rowNode returns the node of the row itself: of a cell that begins in it.
func (r *reader) rowNode(row []cell) int {
	for _, c := range row {
		if !c.again {
			return r.nodes[c.node].up
		}
	}
	return r.nodes[row[len(row)-1].node].up
}

// namingColumn returns the first column if it says what a row is though it has
// another head: its cells are words, and no two are the same.
func (t *recorder) namingColumn() int {
	for _, c := range t.columns {
		if namesRows[strings.ToLower(c.last)] {
			return -1
		}
	}
	seen := map[string]bool{}
	words := 0
	for _, row := range t.grid.rows[t.grid.head:] {
		if t.isBanner(t.grid, row) {
			continue
		}
		text := t.textOf(row[0].node)
		if row[0].again || seen[text] {
			return -1
		}
		seen[text] = true
		if kindOfCell(text) == wordCell && !isDate(text) {
			words++
		}
	}
	if words == 0 || 4*words < 3*len(seen) {
		return -1
	}
	return 0
}

// namesRows are heads of columns that say how a row is called.
var namesRows = setOf("name title titel titre nombre nom nome naam bezeichnung titolo titulo headline subject")

// isInnerHead reports whether a row between others names the columns anew.
func (r *reader) isInnerHead(row []cell) bool {
	for _, c := range row {
		if !r.nodes[c.node].named(atom.Th) || c.again || r.nodes[c.node].from == r.nodes[c.node].to {
			return false
		}
	}
	return len(row) > 1
}

func (t *recorder) rename(row []cell) {
	for col, c := range row {
		if name := t.headName(c.node); name != "" && col < len(t.columns) {
			t.columns[col] = column{name: name, last: name, alone: true}
		}
	}
}
