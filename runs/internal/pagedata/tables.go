package pagedata

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// The limits on one table: what is beyond them is not taken.
const (
	maxColumns = 100
	maxRows    = 20_000
	maxSpan    = 1000
)

// grid is a table with its spans filled in.
type grid struct {
	rows []gridRow
}

type gridRow struct {
	cells []gridCell
	head  bool // in a thead
	foot  bool // in a tfoot
	// spanned says that it is one cell over several columns.
	spanned bool
}

type gridCell struct {
	Cell
	header bool // a th
}

// table reads a table element. One that only lays out the page is walked
// through like any other element.
func (p *parser) table(s *goquery.Selection) {
	role := s.AttrOr("role", "")
	if role == "presentation" || role == "none" || s.Find("table").Length() > 0 {
		p.walkCells(s)
		return
	}
	g := p.grid(s)
	if p.vertical(g) {
		return
	}
	g.rows = g.records()
	t := Table{Name: fold(s.ChildrenFiltered("caption").Text())}
	if t.Name == "" {
		t.Name = fold(s.AttrOr("aria-label", ""))
	}
	header := g.headerRows()
	t.Columns = g.columns(header)
	for _, row := range g.rows[header:] {
		if cells := row.plain(len(t.Columns)); p.shown.hasRow(cells) && !blank(cells) {
			t.Rows = append(t.Rows, cells)
		}
	}
	p.addTable(t)
}

func (p *parser) walkCells(s *goquery.Selection) {
	s.Find("td, th").Each(func(_ int, cell *goquery.Selection) {
		if cell.ParentsUntilSelection(s).Filter("table").Length() == 0 {
			p.walk(cell)
		}
	})
}

func (p *parser) grid(s *goquery.Selection) grid {
	var g grid
	carry := map[int]carried{} // by column
	s.Find("tr").EachWithBreak(func(_ int, tr *goquery.Selection) bool {
		if !isHidden(tr) {
			part, own := goquery.NodeName(tr.Parent()), tr.ChildrenFiltered("td, th")
			row := gridRow{head: part == "thead", foot: part == "tfoot", cells: p.gridCells(tr, carry)}
			row.spanned = own.Length() == 1 && span(own, "colspan") > 1
			g.rows = append(g.rows, row)
		}
		p.data.Incomplete = p.data.Incomplete || len(g.rows) == maxRows
		return len(g.rows) < maxRows
	})
	return g
}

// records are the rows without those that are none: a foot sums up the others,
// and one cell over all columns ("No more", "May") speaks about them. Before the
// first record such a header stays: it is a part of the columns' names.
func (g grid) records() (rows []gridRow) {
	width := 0
	for _, r := range g.rows {
		if !r.spanned {
			width = max(width, len(r.cells))
		}
	}
	begun := false
	for _, r := range g.rows {
		header := r.head || r.all(func(c gridCell) bool { return c.header })
		begun = begun || !header
		if remark := r.spanned && width > 1 && len(r.cells) >= width && !r.head && (begun || !header); !r.foot && !remark {
			rows = append(rows, r)
		}
	}
	return rows
}

// carried is a cell that reaches down into the rows that follow.
type carried struct {
	cell gridCell
	rows int
}

func (p *parser) gridCells(tr *goquery.Selection, carry map[int]carried) []gridCell {
	var cells []gridCell
	fromAbove := func() {
		for len(cells) < maxColumns {
			c, ok := carry[len(cells)]
			if !ok {
				return
			}
			if c.rows--; c.rows == 0 {
				delete(carry, len(cells))
			} else {
				carry[len(cells)] = c
			}
			cells = append(cells, c.cell)
		}
	}
	tr.ChildrenFiltered("td, th").Each(func(_ int, s *goquery.Selection) {
		fromAbove()
		cell := gridCell{p.cellOf(s), goquery.NodeName(s) == "th"}
		down := span(s, "rowspan") - 1
		for range span(s, "colspan") {
			if len(cells) < maxColumns {
				if down > 0 {
					carry[len(cells)] = carried{cell, down}
				}
				cells = append(cells, cell)
			}
		}
	})
	fromAbove()
	return cells
}

func span(s *goquery.Selection, name string) int {
	n, err := strconv.Atoi(s.AttrOr(name, "1"))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxSpan)
}

// headerRows is how many rows at the top are headers.
func (g grid) headerRows() int {
	n := 0
	for n < len(g.rows) && (g.rows[n].head || g.rows[n].all(func(c gridCell) bool { return c.header })) {
		n++
	}
	if n == 0 && g.looksHeaded() {
		n = 1
	}
	if n == len(g.rows) && n > 1 { // headers all the way down are none
		n = 1
	}
	return n
}

var digit = regexp.MustCompile(`\d`)

// looksHeaded reports whether the first row, though not marked as one, is
// nothing but short words above rows with figures.
func (g grid) looksHeaded() bool {
	if len(g.rows) < 2 {
		return false
	}
	words := g.rows[0].all(func(c gridCell) bool { return c.Text != "" && len(c.Text) <= 30 && !digit.MatchString(c.Text) })
	return words && !g.rows[1].all(func(c gridCell) bool { return !digit.MatchString(c.Text) })
}

func (r gridRow) all(ok func(gridCell) bool) bool {
	for _, c := range r.cells {
		if !ok(c) {
			return false
		}
	}
	return len(r.cells) > 0
}

// columns are the texts of the header rows one above the other.
func (g grid) columns(header int) []string {
	width := 0
	for _, r := range g.rows {
		width = max(width, len(r.cells))
	}
	names := make([]string, width)
	for _, r := range g.rows[:header] {
		for i, c := range r.cells {
			if !strings.HasSuffix(names[i], c.Text) {
				names[i] = strings.TrimSpace(names[i] + " " + c.Text)
			}
		}
	}
	return names
}

func (r gridRow) plain(width int) []Cell {
	cells := make([]Cell, width)
	for i, c := range r.cells {
		cells[i] = c.Cell
	}
	return cells
}

func blank(cells []Cell) bool {
	for _, c := range cells {
		if c != (Cell{}) {
			return false
		}
	}
	return true
}

// vertical takes a table of two columns whose first are labels for values.
func (p *parser) vertical(g grid) bool {
	if len(g.rows) == 0 {
		return true
	}
	for _, r := range g.rows {
		marked := len(r.cells) == 2 && (r.cells[0].header || strings.HasSuffix(r.cells[0].Text, ":"))
		if !marked || r.cells[1].header || r.head {
			return false
		}
	}
	for _, r := range g.rows {
		p.addValue(r.cells[0].Text, r.cells[1].Cell)
	}
	return true
}
