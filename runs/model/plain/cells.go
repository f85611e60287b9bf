package plain

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/pagedata"
)

// anyName reports whether one of the names means just the words.
func anyName(names []string, words ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Equal(senses(n), words) })
}

// hasSense reports whether one of the names has the sense.
func hasSense(names []string, sense string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(senses(n), sense) })
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

// column is the column of a table that has one of the names.
func (f *filler) column(src source, names []string) fit {
	key := columnKey{src.table, strings.Join(names, "\x00")}
	c, known := f.columns[key]
	if !known {
		c = f.reads[src.reading].bestColumn(src.table, names...)
		f.columns[key] = c
	}
	return c
}

// of is what stands at a place: a cell, or only the address or image of it.
func (p place) of(c pagedata.Cell, at int, kind string) placed {
	p.at, p.kind = at, kind
	switch kind {
	case "image":
		c = pagedata.Cell{Text: c.Image, URL: c.Image}
	case "link":
		c = pagedata.Cell{Text: c.URL, URL: c.URL}
	}
	return placed{cell: c, at: p}
}

// rowCells are the cells of a row that may be meant, the best first.
func (f *filler) rowCells(s shape, names []string, src source) []placed {
	p := place{reading: src.reading, table: src.table}
	if c := f.column(src, names); c.score > 0 {
		label, cell := src.table.Columns[c.at], src.row[c.at]
		if !hasMeasure(names, label, cell.Text, f.reads[src.reading].data.Lang) {
			return nil
		}
		return []placed{meant(s, names, label, p.of(cell, c.at, "cell"))}
	}
	at, kind := -1, "cell"
	switch {
	case wantsThat(names, "image"):
		at, kind = slices.IndexFunc(src.row, func(c pagedata.Cell) bool { return c.Image != "" }), "image"
	case wantsThat(names, "url"):
		at, kind = onlyLink(src.row), "link"
	case anyName(names, "name"):
		at = unnamedCell(src)
	}
	if at < 0 {
		return nil
	}
	return []placed{p.of(src.row[at], at, kind)}
}

// meant is what stands under a label, or its address where that is meant.
func meant(s shape, names []string, label string, c placed) placed {
	switch {
	case c.cell.Image != "" && hasSense(names, "image"):
		return c.at.of(c.cell, c.at.at, "image")
	case c.cell.URL != "" && (s.format == "uri" || s.format == "url" || s.format == "iri" || hasSense(names, "url")):
		return c.at.of(c.cell, c.at.at, "link")
	}
	c.measure, c.label = measureOf(names), label
	return c
}

// onlyLink is the cell with the link of the row: the only one, or that of the
// row's first cell with a text.
func onlyLink(row []pagedata.Cell) int {
	first := slices.IndexFunc(row, func(c pagedata.Cell) bool { return c.Text != "" })
	if first >= 0 && row[first].URL != "" {
		return first
	}
	link := bestOf(len(row), func(i int) float64 {
		if row[i].URL == "" || row[i].URL == row[i].Image {
			return 0
		}
		return 1
	}, func(i, j int) bool { return row[i].URL == row[j].URL })
	if !link.found() {
		return -1
	}
	return link.at
}

// unnamedCell is the first cell without a header, which says what the row is
// about; -1 for none.
func unnamedCell(src source) int {
	if src.table.List && len(src.row) == 1 {
		return 0
	}
	for i, c := range src.row {
		if src.table.Columns[i] == "" && c.Text != "" {
			return i
		}
	}
	return -1
}

// pageCells are the places on a page where a value may stand, the best first.
func (f *filler) pageCells(s shape, names []string, reading int) (cells []placed) {
	r, p := f.reads[reading], place{reading: reading}
	c := r.value(names...)
	switch {
	case c.several:
		return nil
	case r.want.has("title") && c.score < sameWords && slices.ContainsFunc(names, func(n string) bool { return slices.Equal(stems(n), []string{"title"}) }):
		cells = r.ownCell("title", p) // no label that only means the same
	}
	if c.found() {
		cells = append(cells, meant(s, names, c.label, p.of(c.cell, c.at, "value")))
	}
	var single []placed // of the one table with one row
	for _, t := range r.tables(func(t *pagedata.Table) bool { return len(t.Rows) == 1 && t.Part == "" }) {
		src := source{reading: reading, table: t, row: t.Rows[0]}
		if f.column(src, names).score > 0 {
			single = append(single, f.rowCells(s, names, src)...)
		}
	}
	if len(single) == 1 {
		cells = append(cells, single...)
	}
	return append(cells, r.ownCells(names, p)...)
}

// ownCells are what every page has: a heading, a title, an address, a text.
func (r reading) ownCells(names []string, p place) []placed {
	is := func(what ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(what, strings.Join(stems(n), " ")) })
	}
	_, none := r.mainHeading()
	switch {
	case is("page title", "document title"), is("title") && none != "":
		return r.ownCell("title", p)
	case anyName(names, "name"), is("heading", "headline", "h1", "main heading"):
		return r.ownCell("heading", p)
	case wantsThat(names, "url"):
		return r.ownCell("url", p)
	case is("text", "content", "body", "page text"):
		return r.ownCell("text", p)
	}
	return nil
}

// ownCell is what every page has of that name, if the page has it; a title is of
// a sensible length.
func (r reading) ownCell(name string, p place) []placed {
	c := pagedata.Cell{Text: r.own(name)}
	if name == "url" {
		c.URL = c.Text
	}
	if c.Text == "" || name == "title" && len(c.Text) > maxTitle {
		return nil
	}
	return []placed{p.of(c, 0, name)}
}
