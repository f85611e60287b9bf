package visible

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
)

// tables reads the tables of data: of records, of labels and values, and of
// things that stand in columns.
func (r *reader) tables() {
	for _, g := range r.grids {
		name := r.tableName(g)
		switch {
		case g.head == 0 && (g.columns < 5 && r.holdsLabels(g) || g.side && g.columns == 2):
			r.specification(g)
		case r.turns(g):
			r.records(g.turned(), name)
			if g.head > 0 {
				r.records(g, "rows")
			}
		case g.head > 0:
			r.records(g, name)
		}
	}
}

// tableName returns the name of a table: its title, the heading above, or "table".
func (r *reader) tableName(g *grid) string {
	for _, i := range [...]int{g.title, r.headingBefore(g.table)} {
		if i >= 0 {
			if name := mention.Label(r.textOf(i)); name != "" {
				return name
			}
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

// A column is what the head of a table calls a column.
type column struct {
	// name is all of it, "2023 Revenue" of two heads above each other.
	name string
	// last is the lowest head, and top what stands above it.
	last, top string
}

// columnsOf returns what the header rows call each column, of several rows all
// that are not the same, and how many have the lowest head.
func (r *reader) columnsOf(g *grid) (columns []column, count map[string]int) {
	columns, count = make([]column, g.columns), map[string]int{}
	for at, row := range g.rows[:g.head] {
		for col, c := range row {
			name := r.headName(c.node)
			if name == "" || at > 0 && col < len(g.rows[at-1]) && g.rows[at-1][col].node == c.node {
				continue
			}
			has := &columns[col]
			has.last, has.top = name, has.name
			if has.name = strings.TrimSpace(has.name + " " + name); len(has.name) > maxName {
				has.name = name
			}
		}
	}
	named := slices.ContainsFunc(columns[1:], func(c column) bool { return is("row name", strings.ToLower(c.last)) })
	if first := &columns[0]; first.name == "" && !named || g.isTurned && is("table corner", strings.ToLower(first.name)) {
		*first = column{name: "name", last: "name"}
	}
	for _, c := range columns {
		count[c.last]++
	}
	return columns, count
}

// headName returns the name that a cell of the head gives.
func (r *reader) headName(i int) string {
	text := r.textOf(i)
	if name := mention.Label(text); name != "" {
		return name
	}
	if isYear(text) {
		return text
	}
	return mention.Label(r.altIn(i))
}

// records reads a table whose first rows name the columns: a row is an entity.
// A row over all columns is the heading of those that follow, and a sum is no
// item.
func (r *reader) records(g *grid, name string) {
	t := recorder{reader: r, grid: g, name: name, part: r.nodes[g.table].part}
	t.columns, t.count = r.columnsOf(g)
	for at, c := range t.columns {
		t.isNamed = t.isNamed || is("row name", strings.ToLower(c.last))
		if t.subject == 0 && is("row subject", strings.ToLower(c.last)) {
			t.subject = at
		}
	}
	body := g.rows[g.head:]
	for at, row := range body {
		full := r.fullCells(row)
		switch {
		case r.entities >= r.o.MaxEntities:
			return
		case !g.isTurned && r.isBanner(g, row):
			t.group = r.headName(row[0].node)
		case len(body) > 1 && len(full) > 0 && (at == 0 || at >= len(body)-nearEnd) && mention.IsTotal(r.textOf(full[0])):
			t.total(full)
		default:
			t.record(row)
		}
	}
}

// nearEnd is how many rows before the end one can be a sum.
const nearEnd = 3

// recorder is where the reading of a table stands.
type recorder struct {
	*reader
	grid    *grid
	columns []column
	count   map[string]int // of the lowest heads
	name    string
	part    int
	// isNamed says that a column has the names of the rows, and subject is else the
	// one with what they are about, such as the talks of a programme.
	isNamed bool
	subject int
	// group is the heading between the rows that stands above the one at hand.
	group string
}

func (t *recorder) record(row []cell) {
	at := t.grid.table
	if k := slices.IndexFunc(row, func(c cell) bool { return !c.again }); !t.grid.isTurned {
		at = t.nodes[row[max(k, 0)].node].up // of a cell that begins in the row
	}
	e := &graph.Entity{Source: graph.Table, Element: t.nodes[at].el}
	v := t.thing(e, at)
	if t.grid.isTurned {
		v.Shown = ""
	}
	t.add(t.part, t.name, v)
	if t.group != t.name {
		t.add(t.part, t.group, v)
	}
	in := t.newPart(e, at, t.part)
	for col, c := range row[:min(len(row), len(t.columns))] {
		isHead := t.grid.isTurned && c.node == t.grid.rows[0][col].node
		if !isHead && (col == 0 || t.grid.isTurned || row[col-1].node != c.node) {
			t.addCell(in, t.columns[col], c.node)
		}
	}
	if t.subject > 0 && t.subject < len(row) && !t.isNamed {
		about := &t.nodes[row[t.subject].node]
		v := t.value(row[t.subject].node, graph.Table)
		v.Text = t.text[about.from:min(about.to, t.lines[about.line].to)]
		t.add(in, "name", v)
	} else if first := t.textOf(row[0].node); !t.isNamed && !row[0].again && startsUpper(first) && !mention.IsMoney(first) {
		t.cellValue(in, "name", row[0].node)
	}
	if t.group != "" && !t.has(in, "category") {
		t.add(in, "category", t.textValue(t.group, graph.Table, e.Element))
	}
	if !t.grid.isTurned {
		t.cellLinks(in, at)
	}
}

// addCell gives a row the value of a column, by all of its head, and by the
// lowest one if no other column has it.
func (t *recorder) addCell(in int, c column, cell int) {
	t.cellValue(in, c.name, cell)
	switch {
	case c.last == c.name || is("range end", strings.ToLower(c.last)):
	case t.count[c.last] == 1:
		t.cellValue(in, c.last, cell)
	default:
		t.cellValue(in, c.last+" "+c.top, cell)
	}
}

// total gives the page what a row says that has one label and one value.
func (t *recorder) total(row []int) {
	if len(row) == 2 {
		t.cellValue(t.part, mention.Label(t.textOf(row[0])), row[1])
	}
}

// specification reads a table of labels and values.
func (r *reader) specification(g *grid) {
	part, last := r.nodes[g.table].part, ""
	for _, row := range g.rows {
		for col := 0; col+1 < len(row); col += 2 {
			label, value := row[col].node, row[col+1].node
			if label == value {
				continue
			}
			if n := &r.nodes[label]; n.from < n.to { // else another value of the label above
				last = mention.Label(r.textOf(label))
			}
			if items := r.listIn(value); len(items) > 1 {
				r.addItems(part, last, items, graph.Table)
			} else {
				r.cellValue(part, last, value)
			}
		}
	}
}

func isYear(s string) bool { return len(s) == 4 && (s[0] == '1' || s[0] == '2') && mention.HasYear(s) }

// cellValue adds the text of a cell, and the label of an image in one without. What stands between line breaks stays on lines of its
// own, and a link leads to where its words are written to.
func (r *reader) cellValue(part int, name string, i int) {
	v := r.unstruckValue(i, graph.Table)
	if n := &r.nodes[i]; n.lineEnd-n.line > 1 && n.to-n.from <= min(mention.MaxLabelled, shortLine*(n.lineEnd-n.line)) && !n.is(hasStruck) {
		v.Text = r.text[n.from:n.to]
	}
	if a := r.firstLink(i); a >= 0 && !strings.ContainsAny(v.Text, "@0123456789") {
		switch scheme, rest, _ := strings.Cut(strings.TrimSpace(attr(r.nodes[a].el, "href")), ":"); strings.ToLower(scheme) {
		case "mailto", "tel":
			v.Shown = v.Text
			v.Text, _, _ = strings.Cut(rest, "?")
		case "http", "https":
			if site, ok := r.address(attr(r.nodes[a].el, "href"), v.Text, graph.Table, a); ok && strings.Contains(v.Text, ".") && !strings.Contains(v.Text, " ") {
				r.add(part, name, site)
			}
		}
	}
	if v.Text == "" {
		v.Text = r.altIn(i)
	}
	if strings.Trim(v.Text, "-–—−") != "" {
		r.add(part, name, v)
	}
}

// shortLine is the length of a line that is one of a list.
const shortLine = 60

// altIn returns what the first image or labelled element in a node says.
func (r *reader) altIn(i int) string {
	for _, n := range r.near(i) {
		if alt := oneLine(strings.TrimSpace(attr(n.el, "alt") + attr(n.el, "aria-label"))); alt != "" {
			return shorten.Prefix(alt, 4*maxName)
		}
	}
	return ""
}

// cellLinks adds the first link of a row and its first image.
func (r *reader) cellLinks(part, tr int) {
	for c, n := range r.near(tr) {
		if n.named(atom.A) && n.from < n.to && !r.has(part, "url") && !isContact(attr(n.el, "href")) {
			v, _ := r.address(attr(n.el, "href"), r.textOf(c), 0, c)
			r.add(part, "url", v)
		} else if n.named(atom.Img) && !r.has(part, "image") {
			v, _ := r.imageValue(c)
			v.Source = 0
			r.add(part, "image", v)
		}
	}
}

// isBold reports whether all words of a cell are in bold, or its class says
// that it is a header.
func (r *reader) isBold(i int) bool {
	if r.nodes[r.unwrapped(i)].named(atom.B, atom.Strong) || r.nodes[i].named(atom.Th) {
		return true
	}
	class := strings.ToLower(shorten.Prefix(attr(r.nodes[i].el, "class"), maxNames))
	return strings.Contains(class, "head") || strings.Contains(class, "label")
}

// Of a table that is read by its columns: how many it has at most, and of how
// many rows.
const (
	maxTurned     = 24
	maxTurnedRows = 200
)

// turned returns the table with its columns as rows.
func (g *grid) turned() *grid {
	t := &grid{table: g.table, title: -1, columns: len(g.rows), head: 1, isTurned: true}
	for col := range g.columns {
		turned := make([]cell, len(g.rows))
		for at, row := range g.rows {
			if turned[at] = row[0]; col < len(row) {
				turned[at] = row[col]
			}
		}
		t.rows = append(t.rows, turned)
	}
	return t
}

// turns reports whether the columns of a table are the things and its rows what
// is said of them: its first column holds labels, each another, which stand below
// nothing or a word such as "Feature", or no row names the columns.
func (r *reader) turns(g *grid) bool {
	corner := r.headName(g.rows[0][0].node)
	if g.columns < 3 || g.columns > maxTurned || len(g.rows) > maxTurnedRows || g.head > 1 ||
		g.head == 1 && corner != "" && !is("table corner", strings.ToLower(corner)) {
		return false
	}
	seen, known := map[string]bool{}, 0
	for _, row := range g.rows[g.head:] {
		name := r.headName(row[0].node)
		if name == "" || seen[name] || countWords(name) > 5 || mention.HasDigit(name[:1]) {
			return false
		}
		seen[name] = true
		if is("column head", strings.ToLower(name)) {
			known++
		}
	}
	return g.head == 1 || g.side || known > 1
}
