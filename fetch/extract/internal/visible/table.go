package visible

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// tables reads the tables of data.
func (r *reader) tables() {
	for _, g := range r.grids {
		name := r.tableName(g)
		switch {
		case g.head > 0 && r.isComparison(g):
			r.turned(g, name)
			r.records(g, "rows")
		case g.head > 0:
			r.records(g, name)
			if r.isEitherWay(g) {
				r.turned(g, "columns")
			}
		case g.side && g.columns > 2, g.head == 0 && r.isEitherWay(g):
			r.turned(g, name)
		case g.side, g.columns == 2 && r.isLabelColumn(g), g.columns == 4 && r.isDouble(g):
			r.specification(g)
		default:
			r.unnamed(g, name)
		}
	}
}

// tableName returns the name of a table: its caption, its title, the heading
// above, or "table".
func (r *reader) tableName(g *grid) string {
	if g.caption >= 0 {
		if name := nameOf(r.textOf(g.caption)); name != "" {
			return name
		}
	}
	if g.title >= 0 {
		if name := nameOf(r.textOf(g.title)); name != "" {
			return name
		}
	}
	if name := nameOf(attr(r.nodes[g.table].el, "aria-label")); name != "" {
		return name
	}
	if h := r.headingBefore(g.table); h >= 0 {
		if name := nameOf(r.textOf(h)); name != "" {
			return name
		}
	}
	return "table"
}

// headingBefore returns the nearest heading above node i in its part, or -1.
func (r *reader) headingBefore(i int) int {
	for c := i - 1; c >= 0 && c > i-4*maxLook; c-- {
		r.Meter.Step(1)
		if r.nodes[c].part == r.nodes[i].part && r.headingLevel(c) > 0 {
			return c
		}
	}
	return -1
}

// unnamed reads a table whose columns have no names: its rows as texts.
func (r *reader) unnamed(g *grid, name string) {
	part := r.nodes[g.table].part
	for _, row := range g.rows {
		tr := r.nodes[row[0].node].up
		if !row[0].again {
			r.add(part, name, r.value(tr, graph.Table))
		}
	}
}
