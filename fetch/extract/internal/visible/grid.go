package visible

import (
	"strconv"

	"golang.org/x/net/html/atom"
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

// maxSpan is how many rows or columns a cell may span (the HTML standard).
const maxSpan = 1000

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
	f := filler{reader: r, grid: g, budget: 4*(r.nodes[table].end-table) + 64}
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
	// down holds, for each column, a cell that spans the rows below.
	down []reach
	// foot says that the rows at hand are the foot.
	foot bool
	// budget is how many places cells may take by spanning.
	budget int
}

type reach struct {
	node int
	rows int // that it still reaches
}

func (f *filler) rowsIn(i int) {
	for c := i + 1; c < f.nodes[i].end; c = f.nodes[c].end {
		f.Meter.Step(1)
		switch n := &f.nodes[c]; {
		case n.named(atom.Thead, atom.Tbody, atom.Tfoot):
			f.down = nil // no cell spans more than its group
			f.foot = n.named(atom.Tfoot)
			f.rowsIn(c)
			f.down, f.foot = nil, false
		case n.named(atom.Tr):
			f.row(c)
		case n.named(atom.Caption) && f.caption < 0 && n.from < n.to:
			f.caption = c
		}
	}
}

// row adds a row: its own cells, and those that reach into it from above.
func (f *filler) row(tr int) {
	var row []cell
	for c := tr + 1; c < f.nodes[tr].end; c = f.nodes[c].end {
		f.Meter.Step(1)
		if !f.nodes[c].named(atom.Td, atom.Th) {
			continue
		}
		row = f.fromAbove(row)
		if len(row) >= f.o.MaxColumns {
			break
		}
		row = f.put(row, c)
	}
	row = f.fromAbove(row)
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

func (f *filler) fromAbove(row []cell) []cell {
	for len(row) < len(f.down) && f.down[len(row)].rows > 0 {
		d := &f.down[len(row)]
		d.rows--
		row = append(row, cell{d.node, true})
		if f.budget--; f.budget < 0 {
			d.rows = 0
		}
	}
	return row
}

func (f *filler) put(row []cell, c int) []cell {
	el := f.nodes[c].el
	wide, high := span(attr(el, "colspan")), span(attr(el, "rowspan"))
	for n := 0; n < wide && len(row) < f.o.MaxColumns && (n == 0 || f.budget > 0); n++ {
		at := len(row)
		row = append(row, cell{c, n > 0})
		for len(f.down) <= at {
			f.down = append(f.down, reach{})
		}
		f.down[at] = reach{c, high - 1}
		if n > 0 {
			f.budget--
		}
	}
	return row
}

func span(s string) int {
	if s == "" {
		return 1
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxSpan)
}
