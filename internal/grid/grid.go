// Package grid lays the cells of a table of HTML out in rows and columns: one
// that spans several stands in each of them.
package grid

import (
	"strconv"
	"strings"
)

// maxSpan is how many rows or columns a cell may span (the HTML standard).
const maxSpan = 1000

// Span reads a colspan or a rowspan: what is none is 1.
func Span(attribute string) int {
	n, err := strconv.Atoi(strings.TrimSpace(attribute))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxSpan)
}

// Layout lays out a table row by row: Put for each cell, then EndRow.
type Layout[C any] struct {
	// Columns is how many columns there are at most; what is beyond is left out.
	Columns int
	// Budget is how many places cells may take by spanning, over all of the table.
	Budget int
	// Again makes of a cell what stands in the places that it spans after the
	// first. Default: the cell itself.
	Again func(C) C

	row []C
	// down holds, for each column, a cell that reaches into the rows below.
	down []reach[C]
}

type reach[C any] struct {
	cell C
	rows int // that it still reaches
}

// Put adds a cell to the row, behind those that reach into it from above. It
// reports false for a row that is full.
func (l *Layout[C]) Put(cell C, columns, rows int) bool {
	l.fromAbove()
	for n := range columns {
		if len(l.row) >= l.Columns || n > 0 && l.Budget <= 0 {
			return n > 0
		}
		at, here := len(l.row), cell
		if n > 0 {
			here = l.again(cell)
			l.Budget--
		}
		l.row = append(l.row, here)
		for len(l.down) <= at {
			l.down = append(l.down, reach[C]{})
		}
		l.down[at] = reach[C]{cell, rows - 1}
	}
	return true
}

// EndRow returns the row, with what reaches into it from above.
func (l *Layout[C]) EndRow() []C {
	l.fromAbove()
	row := l.row
	l.row = nil
	return row
}

// EndGroup ends the head, the foot or a body of the table: no cell spans more
// than its group.
func (l *Layout[C]) EndGroup() { l.down = nil }

func (l *Layout[C]) fromAbove() {
	for len(l.row) < len(l.down) && l.down[len(l.row)].rows > 0 {
		d := &l.down[len(l.row)]
		d.rows--
		l.row = append(l.row, l.again(d.cell))
		if l.Budget--; l.Budget < 0 {
			d.rows = 0
		}
	}
}

func (l *Layout[C]) again(cell C) C {
	if l.Again == nil {
		return cell
	}
	return l.Again(cell)
}
