package plain

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/pagedata"
)

// wantsURL reports whether an address is meant.
func wantsURL(s shape, names []string) bool {
	if s.format == "uri" || s.format == "url" || s.format == "iri" {
		return true
	}
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(senses(n), "url") })
}

// wantsThat reports whether an address of that sort is meant and nothing is
// said about whose it is.
func wantsThat(names []string, what string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		words := slices.DeleteFunc(senses(n), func(w string) bool { return w == "url" || w == "page" || w == "detail" })
		return len(words) == 0 && what == "url" || slices.Equal(words, []string{what})
	})
}

type columnKey struct {
	table *pagedata.Table
	names string
}

type columnAt struct {
	at    int
	score float64
}

// column is the column of a table that has one of the names.
func (f *filler) column(src source, names []string) columnAt {
	key := columnKey{src.table, strings.Join(names, "\x00")}
	c, known := f.columns[key]
	if !known {
		c.at, c.score = f.reads[src.reading].bestColumn(src.table, names...)
		f.columns[key] = c
	}
	return c
}

// rowCells are the cells of a row that may be meant, the best first.
func (f *filler) rowCells(s shape, names []string, src source) (cells []placed) {
	at := func(i int, kind placeKind) place { return place{src.reading, src.table, i, kind} }
	c := f.column(src, names)
	if c.score > 0 {
		cell := src.row[c.at]
		label := src.table.Columns[c.at]
		if !hasMeasure(names, label, cell.Text, f.reads[src.reading].data.Lang) {
			return nil
		}
		return append(cells, addressed(s, names, label, cell, func(kind placeKind) place { return at(c.at, kind) }))
	}
	switch {
	case wantsThat(names, "image"):
		for i, cell := range src.row {
			if cell.Image != "" {
				return append(cells, placed{cell: pagedata.Cell{Text: cell.Image, URL: cell.Image}, at: at(i, imagePlace)})
			}
		}
	case wantsThat(names, "url"):
		if i := onlyLink(src.row); i >= 0 {
			return append(cells, placed{cell: pagedata.Cell{Text: src.row[i].URL, URL: src.row[i].URL}, at: at(i, linkPlace)})
		}
	case isName(names):
		if i := unnamedCell(src); i >= 0 {
			cells = append(cells, placed{cell: src.row[i], at: at(i, cellPlace)})
		}
	}
	return cells
}

// addressed is the cell, or its address where that is meant.
func addressed(s shape, names []string, label string, cell pagedata.Cell, at func(placeKind) place) placed {
	image := slices.ContainsFunc(names, func(n string) bool { return slices.Contains(senses(n), "image") })
	switch {
	case image && cell.Image != "":
		return placed{cell: pagedata.Cell{Text: cell.Image, URL: cell.Image}, at: at(imagePlace)}
	case wantsURL(s, names) && cell.URL != "":
		return placed{cell: pagedata.Cell{Text: cell.URL, URL: cell.URL}, at: at(linkPlace)}
	}
	return placed{cell, at(cellPlace), asked{measureOf(names), label}}
}

// onlyLink is the cell with the link of the row: the only one, or that of the
// row's first cell with a text.
func onlyLink(row []pagedata.Cell) int {
	first := slices.IndexFunc(row, func(c pagedata.Cell) bool { return c.Text != "" })
	if first >= 0 && row[first].URL != "" {
		return first
	}
	at := -1
	for i, c := range row {
		if c.URL == "" || c.URL == c.Image || at >= 0 && c.URL == row[at].URL {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

func isName(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Equal(senses(n), []string{"name"}) })
}

// unnamedCell is the first cell without a header, which says what the row is
// about; -1 for none.
func unnamedCell(src source) int {
	for i, c := range src.row {
		if src.table.Columns[i] == "" && c.Text != "" {
			return i
		}
	}
	if src.table.List && len(src.row) == 1 {
		return 0
	}
	return -1
}

// pageCells are the places on a page where a value may stand, the best first.
func (f *filler) pageCells(s shape, names []string, reading int) (cells []placed) {
	r := f.reads[reading]
	at := func(i int, kind placeKind) place { return place{reading: reading, at: i, kind: kind} }
	c := r.value(names...)
	if r.want.title && c.score < sameWords && sayTitle(names) { // no label that only means the same
		cells = append(cells, r.titleCell(at)...)
	}
	if c.found {
		cells = append(cells, addressed(s, names, c.label, c.cell, func(kind placeKind) place {
			if kind == cellPlace {
				kind = valuePlace
			}
			return at(c.at, kind)
		}))
	} else if c.several {
		return nil
	}
	cells = append(cells, f.singleRow(s, names, reading)...)
	return append(cells, r.ownCells(names, at)...)
}

// singleRow is the cell of a table that has but one row.
func (f *filler) singleRow(s shape, names []string, reading int) (cells []placed) {
	for _, t := range f.reads[reading].tables(nil) {
		src := source{reading: reading, table: t, row: t.Rows[0]}
		if len(t.Rows) == 1 && t.Part == "" && f.column(src, names).score > 0 {
			cells = append(cells, f.rowCells(s, names, src)...)
		}
	}
	if len(cells) > 1 { // which of the tables is not said
		return nil
	}
	return cells
}

// ownCells are what every page has: a heading, a title, an address, a text.
func (r reading) ownCells(names []string, at func(int, placeKind) place) (cells []placed) {
	is := func(what ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			return slices.Contains(what, strings.Join(stems(n), " "))
		})
	}
	heading, none := r.mainHeading()
	switch {
	case is("page title", "document title"), is("title") && none != "":
		cells = r.titleCell(at)
	case isName(names) || is("heading", "headline", "h1", "main heading"):
		cells = append(cells, placed{cell: pagedata.Cell{Text: heading}, at: at(0, headingPlace)})
	case wantsThat(names, "url"):
		cells = append(cells, placed{cell: pagedata.Cell{Text: r.data.URL, URL: r.data.URL}, at: at(0, addressPlace)})
	case is("text", "content", "body", "page text") && r.text != "":
		cells = append(cells, placed{cell: pagedata.Cell{Text: r.text}, at: at(0, textPlace)})
	}
	return slices.DeleteFunc(cells, func(c placed) bool { return c.cell.Text == "" })
}

// sayTitle reports whether one of the names is the word by which a task asks for
// the title of a page.
func sayTitle(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Equal(stems(n), []string{"title"}) })
}

// titleCell is the title of the page, if it has one of a sensible length.
func (r reading) titleCell(at func(int, placeKind) place) []placed {
	if r.data.Title == "" || len(r.data.Title) > maxTitle {
		return nil
	}
	return []placed{{cell: pagedata.Cell{Text: r.data.Title}, at: at(0, titlePlace)}}
}

// splitList cuts "red, blue" into its items.
func splitList(text string) []string {
	items := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|·•\n", r) })
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return slices.DeleteFunc(items, func(s string) bool { return s == "" })
}
