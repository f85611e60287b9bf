package visible

import (
	"golang.org/x/net/html/atom"

	tables "github.com/drover-go/drover/internal/grid"
)

// A grid is a table of data: its cells by row and column, of which one that
// spans several stands in each of them.
type grid struct {
	table   int
	caption int // the node, or -1
	title   int // the cell of a row on top that is over all columns, or -1
	rows    [][]cell
	// feet are the rows that the page says to be its foot: sums.
	feet    [][]cell
	columns int
	// head is how many rows on top name the columns, and side says that the
	// first column names the rows.
	head int
	side bool
}

// cell is the node of a cell, or -1 where there is none.
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
	switch attr(r.nodes[table].el, "role") {
	case "presentation", "none":
		return nil
	}
	g := &grid{table: table, caption: -1, title: -1}
	f := filler{reader: r, grid: g, Layout: tables.Layout[cell]{
		Columns: r.o.MaxColumns, Budget: 4*(r.nodes[table].end-table) + 64, Again: func(c cell) cell { return cell{c.node, true} },
	}}
	f.rowsIn(table)
	if len(g.rows) == 0 {
		g.rows, g.feet = g.feet, nil
	}
	if g.columns < 2 || len(g.rows) == 0 || !r.isData(g) {
		return nil
	}
	r.dropTitle(g)
	r.findHeaders(g)
	return g
}

// filler puts cells where they belong.
type filler struct {
	*reader
	*grid
	tables.Layout[cell]
	// foot says that the rows at hand are the foot.
	foot bool
}

func (f *filler) rowsIn(i int) {
	for c := i + 1; c < f.nodes[i].end; c = f.nodes[c].end {
		f.Meter.Step(1)
		switch n := &f.nodes[c]; {
		case n.named(atom.Thead, atom.Tbody, atom.Tfoot):
			f.EndGroup()
			f.foot = n.named(atom.Tfoot)
			f.rowsIn(c)
			f.EndGroup()
			f.foot = false
		case n.named(atom.Tr):
			f.row(c)
		case n.named(atom.Caption) && f.caption < 0 && n.from < n.to:
			f.caption = c
		}
	}
}

// row adds a row: its own cells, and those that reach into it from above.
func (f *filler) row(tr int) {
	for c := tr + 1; c < f.nodes[tr].end; c = f.nodes[c].end {
		f.Meter.Step(1)
		el := f.nodes[c].el
		if f.nodes[c].named(atom.Td, atom.Th) && !f.Put(cell{node: c}, tables.Span(attr(el, "colspan")), tables.Span(attr(el, "rowspan"))) {
			break
		}
	}
	row := f.EndRow()
	if len(row) == 0 {
		return
	}
	f.columns = max(f.columns, len(row))
	if f.foot {
		f.feet = append(f.feet, row)
		return
	}
	f.rows = append(f.rows, row)
}
