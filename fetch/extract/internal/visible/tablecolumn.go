package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// A column is what the head of a table calls a column.
type column struct {
	// name is all of it, "2023 Revenue" of two heads above each other.
	name string
	// last is the lowest head, and top what stands above it.
	last, top string
	// alone says that no other column has the lowest head.
	alone bool
}

// columnsOf returns what the header rows call each column: of several rows all
// that are not the same.
func (r *reader) columnsOf(g *grid) []column {
	columns := make([]column, g.columns)
	for at, row := range g.rows[:g.head] {
		r.addHeads(columns, g, at, row)
	}
	count := map[string]int{}
	for _, c := range columns {
		count[c.last]++
	}
	for i := range columns {
		columns[i].alone = count[columns[i].last] == 1
	}
	if columns[0].name == "" && g.columns > 1 {
		columns[0] = column{name: "name", last: "name", alone: true}
	}
	return columns
}

func (r *reader) addHeads(columns []column, g *grid, at int, row []cell) {
	for col, c := range row {
		if at > 0 && col < len(g.rows[at-1]) && g.rows[at-1][col].node == c.node {
			continue
		}
		name := r.headName(c.node)
		if name == "" {
			continue
		}
		has := &columns[col]
		has.last, has.top = name, has.name
		if has.name != "" {
			name = has.name + " " + name
		}
		if len(name) <= maxName {
			has.name = name
		}
	}
}

// headName returns the name that a cell of the head gives.
func (r *reader) headName(i int) string {
	if name := nameOf(withoutNotes(r.textOf(i))); name != "" {
		return name
	}
	if text := r.textOf(i); isYear(text) {
		return text
	}
	return nameOf(r.altIn(i))
}

func isYear(s string) bool {
	return len(s) == 4 && (s[0] == '1' || s[0] == '2') && hasDigit(s[1:2]) && hasDigit(s[2:3]) && hasDigit(s[3:])
}

// addCell gives a row the value of a column, by all of its head and by the
// lowest. Those below one head are a thing in the row, too: the revenue of 2023,
// the least and the largest size.
func (r *reader) addCell(in int, c column, cell int) {
	r.cellValue(in, c.name, cell)
	if c.last == c.name {
		return
	}
	least := ends[strings.ToLower(c.last)]
	switch {
	case c.alone && (!least || bounds[strings.ToLower(c.last)]):
		r.cellValue(in, c.last, cell)
	case least:
		return
	default:
		r.cellValue(in, c.last+" "+c.top, cell)
	}
	if c.alone && c.top == "" {
		return
	}
	if below := r.below(in, c.top, cell); below > 0 {
		r.cellValue(below, c.last, cell)
	}
}

// bounds are such heads that name a value if no other column has the same.
var bounds = setOf("min max min. max.")

// ends are heads that mean nothing without the one above.
var ends = setOf("from to min max von bis de à a da no. nr # %")

// below returns the part of the columns below a head in a row, which it begins
// with the first of them, or 0.
func (r *reader) below(in int, top string, cell int) int {
	for p := len(r.parts) - 1; p > in; p-- {
		if r.parts[p].around == in && r.parts[p].name == top {
			return p
		}
	}
	if r.entities >= r.o.MaxEntities {
		return 0
	}
	e := &graph.Entity{Source: graph.Table, Element: r.nodes[cell].el}
	r.add(in, top, graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Aside: r.nodes[cell].is(isAside)})
	p := r.newPart(e, cell, in)
	r.parts[p].name = top
	return p
}
