package pagedata

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/grid"
)

// The limits on one table: what is beyond them is not taken.
const (
	maxColumns = 100
	maxRows    = 20_000
)

// row is a row of a table with its spans filled in.
type row struct {
	cells []gridCell
	// head says that it names columns: it is in a thead, or has nothing but th.
	head, foot bool
	// spanned says that it is one cell over several columns.
	spanned bool
}

type gridCell struct {
	Cell
	header bool // a th
}

func (r row) all(ok func(gridCell) bool) bool {
	return len(r.cells) > 0 && !slices.ContainsFunc(r.cells, func(c gridCell) bool { return !ok(c) })
}

// table reads a table element. One that only lays out the page is walked
// through like any other element.
func (p *parser) table(n *html.Node) {
	if role := attr(n, "role"); role == "presentation" || role == "none" || first(n, atom.Table) != nil {
		for cell := range below(n, atom.Td, atom.Th) {
			if around(cell, atom.Table) == n {
				p.walk(cell)
			}
		}
		return
	}
	rows := p.rows(n)
	if p.vertical(rows) {
		return
	}
	rows = records(rows)
	t := Table{Name: fold(attr(n, "aria-label"))}
	for _, c := range children(n, atom.Caption) {
		t.Name = cmp.Or(textOf(c), t.Name)
	}
	header := headerRows(rows)
	t.Columns = columns(rows, header)
	for _, r := range rows[header:] {
		cells := make([]Cell, len(t.Columns))
		for i, c := range r.cells {
			cells[i] = c.Cell
		}
		if slices.ContainsFunc(cells, func(c Cell) bool { return !c.isBlank() }) {
			t.Rows = append(t.Rows, cells)
		}
	}
	p.addTable(t)
}

func (p *parser) rows(n *html.Node) (rows []row) {
	layout := grid.Layout[gridCell]{Columns: maxColumns, Budget: maxColumns * maxRows}
	var group *html.Node
	for tr := range below(n, atom.Tr) {
		if isHidden(tr) {
			continue
		}
		if group != tr.Parent {
			layout.EndGroup()
			group = tr.Parent
		}
		own := children(tr, atom.Td, atom.Th)
		for _, c := range own {
			layout.Put(gridCell{p.cellOf(c), is(c, atom.Th)}, grid.Span(attr(c, "colspan")), grid.Span(attr(c, "rowspan")))
		}
		r := row{cells: layout.EndRow(), foot: is(group, atom.Tfoot), spanned: len(own) == 1 && grid.Span(attr(own[0], "colspan")) > 1}
		r.head = is(group, atom.Thead) || r.all(func(c gridCell) bool { return c.header })
		if rows = append(rows, r); len(rows) == maxRows {
			p.data.Incomplete = true
			break
		}
	}
	return rows
}

func widest(rows []row) (width int) {
	for _, r := range rows {
		width = max(width, len(r.cells))
	}
	return width
}

// records are the rows without those that are none: a foot sums up the others,
// and one cell over all columns ("No more", "May") speaks about them. Before the
// first record such a header stays: it is a part of the columns' names.
func records(all []row) (rows []row) {
	width := widest(slices.DeleteFunc(slices.Clone(all), func(r row) bool { return r.spanned }))
	begun := false
	for _, r := range all {
		begun = begun || !r.head
		if remark := r.spanned && width > 1 && len(r.cells) >= width && begun; !r.foot && !remark {
			rows = append(rows, r)
		}
	}
	return rows
}

// headerRows is how many rows at the top are headers.
func headerRows(rows []row) int {
	n := 0
	for n < len(rows) && rows[n].head {
		n++
	}
	if n == 0 && looksHeaded(rows) || n == len(rows) && n > 1 { // headers all the way down are none
		return 1
	}
	return n
}

func hasDigit(c gridCell) bool { return strings.ContainsAny(c.Text, "0123456789") }

// looksHeaded reports whether the first row, though not marked as one, is
// nothing but short words above rows with figures.
func looksHeaded(rows []row) bool {
	return len(rows) > 1 && rows[0].all(func(c gridCell) bool { return c.Text != "" && len(c.Text) <= 30 && !hasDigit(c) }) && slices.ContainsFunc(rows[1].cells, hasDigit)
}

// columns are the texts of the header rows one above the other.
func columns(rows []row, header int) []string {
	names := make([]string, widest(rows))
	for _, r := range rows[:header] {
		for i, c := range r.cells {
			if !strings.HasSuffix(names[i], c.Text) {
				names[i] = strings.TrimSpace(names[i] + " " + c.Text)
			}
		}
	}
	return names
}

// vertical takes a table of two columns whose first are labels for values.
func (p *parser) vertical(rows []row) bool {
	if slices.ContainsFunc(rows, func(r row) bool {
		return r.head || len(r.cells) != 2 || r.cells[1].header || !r.cells[0].header && !strings.HasSuffix(r.cells[0].Text, ":")
	}) {
		return false
	}
	for _, r := range rows {
		p.addValue(r.cells[0].Text, r.cells[1].Cell)
	}
	return true
}
