package quality

import (
	"fmt"
	"strings"
	"testing"
)

// A table holds scores by row and column; a cell is the mean of its scores.
type table struct {
	title   string
	columns []string
	rows    []string
	cells   map[[2]string]*mean
}

type mean struct {
	sum float64
	n   int
}

func newTable(title string, columns ...string) *table {
	return &table{title: title, columns: columns, cells: map[[2]string]*mean{}}
}

// add adds a score to a cell.
func (t *table) add(row, column string, v float64) {
	key := [2]string{row, column}
	if t.cells[key] == nil {
		t.cells[key] = &mean{}
	}
	t.cells[key].sum += v
	t.cells[key].n++
	for _, r := range t.rows {
		if r == row {
			return
		}
	}
	t.rows = append(t.rows, row)
}

// row returns the means of a row by column.
func (t *table) row(row string) map[string]float64 {
	out := map[string]float64{}
	for _, c := range t.columns {
		if m := t.cells[[2]string{row, c}]; m != nil {
			out[c] = m.sum / float64(m.n)
		}
	}
	return out
}

// print writes the table to the test's log.
func (t *table) print(tb testing.TB) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n| %-28s |", t.title, "")
	for _, c := range t.columns {
		fmt.Fprintf(&b, " %s |", c)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(t.columns)) + "\n")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %-28s |", r)
		values := t.row(r)
		for _, c := range t.columns {
			fmt.Fprintf(&b, " %*.3f |", len(c), values[c])
		}
		b.WriteByte('\n')
	}
	tb.Log(b.String())
}
