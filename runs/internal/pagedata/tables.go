package pagedata

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	tables "github.com/drover-go/drover/internal/grid"
	"github.com/drover-go/drover/internal/lexicon"
)

// The limits on one table: what is beyond them is not taken.
const (
	maxColumns = 100
	maxRows    = 20_000
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
	layout := tables.Layout[gridCell]{Columns: maxColumns, Budget: maxColumns * maxRows}
	var group *html.Node
	s.Find("tr").EachWithBreak(func(_ int, tr *goquery.Selection) bool {
		if isHidden(tr) {
			return true
		}
		if group != tr.Nodes[0].Parent {
			layout.EndGroup()
			group = tr.Nodes[0].Parent
		}
		own := tr.ChildrenFiltered("td, th")
		own.Each(func(_ int, c *goquery.Selection) {
			layout.Put(gridCell{p.cellOf(c), goquery.NodeName(c) == "th"}, span(c, "colspan"), span(c, "rowspan"))
		})
		g.rows = append(g.rows, gridRow{
			cells: layout.EndRow(), head: group.DataAtom == atom.Thead, foot: group.DataAtom == atom.Tfoot,
			spanned: own.Length() == 1 && span(own, "colspan") > 1,
		})
		p.data.Incomplete = p.data.Incomplete || len(g.rows) == maxRows
		return len(g.rows) < maxRows
	})
	return g
}

func span(s *goquery.Selection, name string) int { return tables.Span(s.AttrOr(name, "")) }

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

var digit = lexicon.Pattern(`\d`)

// looksHeaded reports whether the first row, though not marked as one, is
// nothing but short words above rows with figures.
func (g grid) looksHeaded() bool {
	if len(g.rows) < 2 {
		return false
	}
	words := g.rows[0].all(func(c gridCell) bool { return c.Text != "" && len(c.Text) <= 30 && !digit().MatchString(c.Text) })
	return words && !g.rows[1].all(func(c gridCell) bool { return !digit().MatchString(c.Text) })
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
