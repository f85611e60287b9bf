package visible

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/pagedata"
)

// addTable adds a table that has rows.
func (f *finder) addTable(t pagedata.Table) {
	if len(t.Rows) == 0 {
		return
	}
	t.Name, t.Total, t.Part = cmp.Or(t.Name, f.heading), len(t.Rows), f.here()
	f.data.Tables = append(f.data.Tables, t)
}

// table reads a table element. One that only lays out the page is walked through
// like any other element.
func (f *finder) table(i int) {
	n := &f.nodes[i]
	role, nested := attr(n.el, "role"), false
	for c := i + 1; c < n.end && !nested; c = f.nodes[c].end {
		nested = f.nodes[c].is(hasTable)
	}
	if role == "presentation" || role == "none" || nested {
		for c := i + 1; c < n.end; c++ {
			if f.nodes[c].named(atom.Td, atom.Th) {
				f.walk(c)
				c = f.nodes[c].end - 1
			}
		}
		return
	}
	g, _ := f.rowsOf(i)
	if len(g.rows) == 0 || f.vertical(g) {
		return
	}
	f.findHeaders(g)
	if g.head == 0 && len(g.rows) > 1 && f.looksLikeHead(g) {
		g.head = 1
	}
	t := pagedata.Table{Name: page.Collapse(attr(n.el, "aria-label")), Columns: make([]string, g.columns)}
	if g.title >= 0 {
		t.Name = f.textOf(g.title)
	}
	if g.head > 0 {
		columns, _ := f.columnsOf(g)
		for k, c := range columns {
			t.Columns[k] = c.name
		}
	} else if f.isHeadRow(g, 0) {
		return // a head without rows
	}
	for _, row := range g.rows[g.head:] {
		f.addRow(&t, g, row)
	}
	f.addTable(t)
}

// addRow adds a row that is no title between others.
func (f *finder) addRow(t *pagedata.Table, g *grid, row []cell) {
	if len(f.fullCells(row)) == 0 || len(row) > 1 && f.isBanner(g, row) {
		return
	}
	if len(t.Rows) == maxShownRows {
		f.data.Incomplete = true
		return
	}
	cells := make([]pagedata.Cell, g.columns)
	for k, c := range row {
		if k > 0 && row[k-1].node == c.node {
			cells[k] = cells[k-1]
		} else {
			cells[k] = f.cell(c.node)
		}
	}
	t.Rows = append(t.Rows, cells)
}

// vertical takes a table of two columns whose first are labels for values.
func (f *finder) vertical(g *grid) bool {
	if slices.ContainsFunc(g.rows, func(row []cell) bool {
		first := &f.nodes[row[0].node]
		return len(row) != 2 || f.nodes[row[1].node].named(atom.Th) || !first.named(atom.Th) && !strings.HasSuffix(f.text[first.from:first.to], ":")
	}) {
		return false
	}
	for _, row := range g.rows {
		f.add(f.textOf(row[0].node), f.cell(row[1].node))
	}
	return true
}

// list takes children that look alike as rows: the items of a list, the cards
// of a result page. What stands beside them is read where it stands.
func (f *finder) list(i int) bool {
	items := f.itemsIn(i)
	if items == nil {
		return false
	}
	if !slices.ContainsFunc(items, func(item int) bool {
		name, _ := mention.SplitLabel(f.textOf(item))
		return name == "" || !f.isPlain(item)
	}) { // "Price: 8.95" each
		for _, item := range items {
			f.plain(item)
		}
		return true
	}
	next := 0
	for c := range f.elementsIn(i) {
		if next == len(items) || c != items[next] {
			f.element(c)
			continue
		}
		if next++; next == 1 {
			f.records(items)
		}
	}
	return true
}

// itemsIn returns the items of an ul or ol, or the children of an element that are
// items, unless they are more than those of a list.
func (f *finder) itemsIn(i int) (items []int) {
	isList := f.nodes[i].named(atom.Ul, atom.Ol)
	for c, n := range f.elementsIn(i) {
		if isList && n.named(atom.Li) || !isList && n.is(isMember) {
			if items = append(items, c); n.is(hasTable | hasWhole) {
				return nil
			}
		}
	}
	return items
}

// records adds a list as a table.
func (f *finder) records(items []int) {
	t := pagedata.Table{List: true}
	for _, item := range items {
		if r := f.record(item); len(r) > 0 {
			r.addTo(&t)
		}
		if len(t.Rows) == maxShownRows {
			f.data.Incomplete = true
			break
		}
	}
	for k, row := range t.Rows {
		t.Rows[k] = append(row, make([]pagedata.Cell, len(t.Columns)-len(row))...)
	}
	f.addTable(t)
}

// record is what one item shows, by name.
type record []pagedata.Value

// record reads an item: its heading or first link is the name, other parts are
// called by their labels, microdata or classes, and what it says apart from them
// is the text.
func (f *finder) record(item int) (r record) {
	inner := finder{reader: f.reader, data: &pagedata.Data{}, labels: f.labels, weak: map[string]bool{}, depth: f.depth + 1}
	inner.walk(item)
	whole := f.cell(item)
	name := f.firstIn(item, item, func(n *node) bool { return n.level > 0 })
	if name < 0 {
		name = f.firstLink(item)
	}
	if name >= 0 {
		c := f.cell(name)
		c.URL = cmp.Or(c.URL, whole.URL)
		r = r.with("name", c)
	}
	for _, v := range append(inner.data.Values, inner.weakValues...) {
		r = r.with(v.Label, v.Value)
	}
	if len(r) == 0 || !r.covers(whole.Text) {
		r = r.with("text", whole)
	}
	return r.with("image", pagedata.Cell{Text: whole.Image, URL: whole.Image})
}

// with adds a part unless there is one of that name, or there are too many.
func (r record) with(label string, c pagedata.Cell) record {
	if c.Text == "" && c.Image == "" || len(r) >= maxShownColumns || slices.ContainsFunc(r, func(v pagedata.Value) bool { return v.Label == label }) {
		return r
	}
	return append(r, pagedata.Value{Label: label, Value: c})
}

// covers reports whether the parts say all of the text.
func (r record) covers(text string) bool {
	for _, v := range r {
		text = strings.Replace(text, v.Value.Text, "", 1)
		text = strings.Replace(text, v.Label, "", 1)
	}
	return strings.Trim(text, " :,;|·–-") == ""
}

// addTo adds a row of the parts; a part that no row has had yet is a new column.
func (r record) addTo(t *pagedata.Table) {
	var row []pagedata.Cell
	for _, v := range r {
		at := slices.Index(t.Columns, v.Label)
		if at < 0 && len(t.Columns) < maxShownColumns {
			at = len(t.Columns)
			t.Columns = append(t.Columns, v.Label)
		}
		if at >= 0 {
			row = append(row, make([]pagedata.Cell, max(at+1-len(row), 0))...)
			row[at] = v.Value
		}
	}
	t.Rows = append(t.Rows, row)
}
