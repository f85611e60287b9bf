package visible

import (
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// tables reads the tables of data.
func (r *reader) tables() {
	for _, g := range r.grids {
		switch {
		case g.head > 0:
			r.records(g)
		case g.side && g.columns > 2:
			r.turned(g)
		case g.side, g.columns == 2 && r.isLabelColumn(g), g.columns == 4 && r.isDouble(g):
			r.specification(g)
		default:
			r.unnamed(g)
		}
	}
}

// tableName returns the name of a table: its caption, the heading above, or
// "table".
func (r *reader) tableName(g *grid) string {
	if g.caption >= 0 {
		if name := nameOf(r.textOf(g.caption)); name != "" {
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

// records reads a table whose first rows name the columns: a row is an entity.
func (r *reader) records(g *grid) {
	names := r.columnNames(g)
	name, part := r.tableName(g), r.nodes[g.table].part
	for _, row := range g.rows[g.head:] {
		if r.entities >= r.o.MaxEntities {
			return
		}
		if r.isBanner(row) {
			continue
		}
		r.record(g, row, names, name, part)
	}
}

func (r *reader) record(g *grid, row []cell, names []string, name string, part int) {
	tr := r.nodes[row[len(row)-1].node].up
	for _, c := range row {
		if !c.again {
			tr = r.nodes[c.node].up
			break
		}
	}
	e := &graph.Entity{Source: graph.Table, Element: r.nodes[tr].el}
	r.add(part, name, r.thing(e, tr))
	in := r.newPart(e, tr, part)
	for col, c := range row {
		if col < len(names) && (col == 0 || row[col-1].node != c.node) {
			r.cellValue(in, names[col], c.node)
		}
	}
	r.cellLinks(in, tr)
}

// cellValue adds the text of a cell, and the label of an image in one without.
func (r *reader) cellValue(part int, name string, i int) {
	v := r.value(i, graph.Table)
	if strings.ContainsFunc(v.Text, func(c rune) bool { return unicode.Is(unicode.Sc, c) }) {
		v = r.unstruckValue(i, graph.Table)
	}
	if v.Text == "" {
		v.Text = r.altIn(i)
	}
	r.add(part, name, v)
}

// altIn returns what the first image or labelled element in a node says.
func (r *reader) altIn(i int) string {
	for c := i; c < r.nodes[i].end && c < i+maxLook; c++ {
		if n := &r.nodes[c]; !n.is(isText) {
			if alt := oneLine(strings.TrimSpace(attr(n.el, "alt") + attr(n.el, "aria-label"))); alt != "" {
				return cut(alt, 4*maxName)
			}
		}
	}
	return ""
}

// cellLinks adds the first link of a row and its first image.
func (r *reader) cellLinks(part, tr int) {
	if a := r.firstLink(tr); a >= 0 {
		if v, ok := r.address(attr(r.nodes[a].el, "href"), r.textOf(a), 0, a); ok {
			r.add(part, "url", v)
		}
	}
	for c := tr; c < r.nodes[tr].end && c < tr+maxLook; c++ {
		r.Meter.Step(1)
		if r.nodes[c].named(atom.Img) {
			if v, ok := r.imageValue(c); ok && !r.has(part, "image") {
				v.Source = 0
				r.add(part, "image", v)
			}
			return
		}
	}
}

// isBanner reports whether a row is one cell over all columns: a title between
// rows, which names no value.
func (r *reader) isBanner(row []cell) bool {
	for _, c := range row {
		if c.node != row[0].node {
			return false
		}
	}
	return len(row) > 1
}

// columnNames returns what the header rows call each column: of several rows
// all that are not the same, "Size cm".
func (r *reader) columnNames(g *grid) []string {
	names := make([]string, g.columns)
	for at, row := range g.rows[:g.head] {
		if r.isBanner(row) && g.head > 1 {
			continue
		}
		for col, c := range row {
			if at > 0 && col < len(g.rows[at-1]) && g.rows[at-1][col].node == c.node {
				continue
			}
			name := nameOf(r.textOf(c.node))
			if name == "" {
				name = nameOf(r.altIn(c.node))
			}
			if names[col] != "" && name != "" {
				name = names[col] + " " + name
			}
			if name != "" && len(name) <= maxName {
				names[col] = name
			}
		}
	}
	if names[0] == "" && g.columns > 1 {
		names[0] = "name"
	}
	return names
}

// turned reads a table whose first column names the rows, and whose columns
// are the entities: a comparison.
func (r *reader) turned(g *grid) {
	name, part := r.tableName(g), r.nodes[g.table].part
	for col := 1; col < g.columns && r.entities < r.o.MaxEntities; col++ {
		e := &graph.Entity{Source: graph.Table, Element: r.nodes[g.table].el}
		in := r.newPart(e, g.table, part)
		for _, row := range g.rows {
			if col < len(row) && row[0].node != row[col].node {
				r.cellValue(in, nameOf(r.textOf(row[0].node)), row[col].node)
			}
		}
		if len(e.Fields) > 0 {
			r.add(part, name, graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Aside: r.nodes[g.table].is(isAside)})
		}
	}
}

// specification reads a table of labels and values.
func (r *reader) specification(g *grid) {
	part := r.nodes[g.table].part
	last := ""
	for _, row := range g.rows {
		for col := 0; col+1 < len(row); col += 2 {
			if row[col].node == row[col+1].node {
				continue
			}
			name := nameOf(r.textOf(row[col].node))
			if r.nodes[row[col].node].from == r.nodes[row[col].node].to {
				name = last // another value of the label above
			}
			last = name
			if items := r.listIn(row[col+1].node); len(items) > 1 {
				r.addItems(part, name, items, graph.Table)
				continue
			}
			r.cellValue(part, name, row[col+1].node)
		}
	}
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

// unnamed reads a table whose columns have no names: its rows as texts.
func (r *reader) unnamed(g *grid) {
	name, part := r.tableName(g), r.nodes[g.table].part
	for _, row := range g.rows {
		tr := r.nodes[row[0].node].up
		if !row[0].again {
			r.add(part, name, r.value(tr, graph.Table))
		}
	}
}
