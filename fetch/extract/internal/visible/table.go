package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
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

// tableName returns the name of a table: its caption, its title, the heading
// above, or "table".
func (r *reader) tableName(g *grid) string {
	for _, i := range [...]int{g.caption, g.title, r.headingBefore(g.table)} {
		if i >= 0 {
			if name := nameOf(r.textOf(i)); name != "" {
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
	if first := &columns[0]; first.name == "" || g.isTurned && isOneOf("table corners", first.name) {
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
	if name := nameOf(withoutNotes(text)); name != "" {
		return name
	}
	if isYear(text) {
		return text
	}
	return nameOf(r.altIn(i))
}

// records reads a table whose first rows name the columns: a row is an entity.
// A row over all columns is the heading of those that follow, and a sum is no
// item.
func (r *reader) records(g *grid, name string) {
	t := recorder{reader: r, grid: g, name: name, part: r.nodes[g.table].part}
	t.columns, t.count = r.columnsOf(g)
	for _, c := range t.columns {
		t.isNamed = t.isNamed || isOneOf("names of rows", c.last)
	}
	body := g.rows[g.head:]
	for at, row := range body {
		full := r.fullCells(row)
		switch {
		case r.entities >= r.o.MaxEntities:
			return
		case !g.isTurned && r.isBanner(g, row):
			t.group = r.headName(row[0].node)
		case len(body) > 1 && len(full) > 0 && (at == 0 || at >= len(body)-nearEnd) && isTotalLabel(r.textOf(full[0])):
			t.total(full)
		default:
			t.record(row)
		}
	}
	for _, row := range g.feet {
		t.total(r.fullCells(row))
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
	// isNamed says that a column has the names of the rows.
	isNamed bool
	// group is the heading between the rows that stands above the one at hand.
	group string
}

func (t *recorder) record(row []cell) {
	at := t.grid.table
	for k := len(row) - 1; k >= 0 && !t.grid.isTurned; k-- {
		if !row[k].again || at == t.grid.table {
			at = t.nodes[row[k].node].up
		}
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
	first := t.textOf(row[0].node)
	if _, isSign := mention.Bool(first); !t.isNamed && !row[0].again && hasWords(first) && !isMoney(first) && !isSign && !startsWithNumber(first) {
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
	case c.last == c.name || isOneOf("ends of ranges", c.last):
	case t.count[c.last] == 1:
		t.cellValue(in, c.last, cell)
	default:
		t.cellValue(in, c.last+" "+c.top, cell)
	}
}

var totalText = lexicon.Pattern(`(?i)^(?:(?:grand|overall|sub) )?(?:totals?|subtotal|sum|summe|gesamt|gesamtsumme|insgesamt|zwischensumme|somme|suma|totale|totaal|itogo|итого|合計)[:,-]?` +
	`(?: (?:\(.*|amount|price|costs?|due|value|sum|general|général|générale|betrag|preis|incl\.|excl\.|\(ttc\)|ttc|ht))?[: ]*$`)

func isTotalLabel(s string) bool { return len(s) <= maxName && totalText().MatchString(s) }

// total gives the page what a row says that has one label and one value.
func (t *recorder) total(row []int) {
	if len(row) == 2 && (isTotalLabel(t.textOf(row[0])) || isMoney(t.textOf(row[1]))) {
		t.cellValue(t.part, nameOf(t.textOf(row[0])), row[1])
	}
}

// specification reads a table of labels and values.
func (r *reader) specification(g *grid) {
	part, last := r.nodes[g.table].part, ""
	for _, row := range append(g.rows[:len(g.rows):len(g.rows)], g.feet...) {
		for col := 0; col+1 < len(row); col += 2 {
			label, value := row[col].node, row[col+1].node
			if label == value {
				continue
			}
			if n := &r.nodes[label]; n.from < n.to { // else another value of the label above
				last = nameOf(withoutNotes(r.textOf(label)))
			}
			if items := r.listIn(value); len(items) > 1 {
				r.addItems(part, last, items, graph.Table)
			} else {
				r.cellValue(part, last, value)
			}
		}
	}
}

func isYear(s string) bool { return len(s) == 4 && (s[0] == '1' || s[0] == '2') && hasFourDigits(s) }

// startsWithNumber reports whether a text begins with a digit, or a sign and one.
func startsWithNumber(s string) bool {
	s = strings.TrimLeft(s, "+-−–~≈<>. ")
	return s != "" && hasDigit(s[:1])
}
