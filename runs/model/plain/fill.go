package plain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/pagedata"
)

// shaped fills a schema from what has been read. Where several tables may be
// meant there are several results, the likeliest first.
func shaped(schema json.RawMessage, reads []reading) (all []json.RawMessage) {
	for rank := range maxChoices {
		f := &filler{root: schema, reads: latestFirst(reads), rank: rank}
		v, ok := f.fill(schema, nil, source{})
		if !ok {
			continue
		}
		out := encode(v)
		if !slices.ContainsFunc(all, func(r json.RawMessage) bool { return bytes.Equal(r, out) }) {
			all = append(all, out)
		}
	}
	return all
}

// maxChoices is how many tables are tried for a list of objects.
const maxChoices = 3

func latestFirst(reads []reading) []reading {
	reads = slices.Clone(reads)
	slices.Reverse(reads)
	return reads
}

// filler makes one value that may satisfy the schema.
type filler struct {
	root  json.RawMessage
	reads []reading
	rank  int
	depth int
}

// source is where a value is taken from: a row, or the pages as a whole.
type source struct {
	table *pagedata.Table
	row   []pagedata.Cell
	lang  string
}

// maxDepth bounds schemas that contain themselves.
const maxDepth = 12

func (f *filler) fill(schema json.RawMessage, names []string, src source) (v any, ok bool) {
	if f.depth++; f.depth > maxDepth {
		f.depth--
		return nil, false
	}
	defer func() { f.depth-- }()
	s := shapeOf(schema, f.root)
	for _, choice := range s.choices {
		if v, ok := f.fill(choice, names, src); ok && v != nil {
			return v, true
		}
	}
	switch {
	case s.is("object"):
		v, ok = f.object(s, src)
	case s.is("array"):
		v, ok = f.array(s, names, src)
	}
	if !ok {
		v, ok = f.scalar(s, names, src)
	}
	if !ok && s.is("null") {
		return nil, true
	}
	return v, ok
}

// object fills what it can; ok is false if that is nothing.
func (f *filler) object(s shape, src source) (v any, ok bool) {
	var out object
	found := false
	if src.table == nil {
		src = f.oneRow(s, src)
	}
	for _, p := range s.props {
		value, ok := f.fill(p.schema, shapeOf(p.schema, f.root).names(p.name), src)
		if !ok {
			continue
		}
		out.set(p.name, value)
		found = found || value != nil
	}
	return out, found
}

// oneRow is the row that an object is about, if the task names one.
func (f *filler) oneRow(s shape, src source) source {
	for _, r := range f.reads {
		if r.want.row == "" {
			continue
		}
		for _, t := range r.data.Tables {
			if rows := withRow(t, r.want.row).Rows; len(rows) == 1 && f.tableScore(t, s) > 0 {
				return source{table: &t, row: rows[0], lang: r.data.Lang}
			}
		}
	}
	return src
}

func (f *filler) scalar(s shape, names []string, src source) (v any, ok bool) {
	if slices.Equal(s.types, []string{"object"}) || slices.Equal(s.types, []string{"array"}) {
		return nil, false
	}
	if src.table != nil {
		cell, ok := rowCell(s, names, src)
		if !ok {
			return nil, false
		}
		return coerce(cell, s, src.lang)
	}
	for _, r := range f.reads {
		for _, cell := range pageCells(s, f.wantedNames(names, r), r) {
			if v, ok := coerce(cell, s, r.data.Lang); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// wantedNames are the names of a value; the root's are those the task has.
func (f *filler) wantedNames(names []string, r reading) []string {
	if len(names) > 0 {
		return names
	}
	names = append(slices.Clone(r.want.labels), r.want.phrases...)
	for name, wanted := range map[string]bool{"title": r.want.title, "url": r.want.url, "heading": r.want.heading} {
		if wanted {
			names = append(names, name)
		}
	}
	return names
}

// wantsURL reports whether an address is meant.
func wantsURL(s shape, names []string) bool {
	if s.format == "uri" || s.format == "url" || s.format == "iri" {
		return true
	}
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(canonical(n), "url") })
}

func wantsImage(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(canonical(n), "image") })
}

// rowCell is the cell of a row that has one of the names.
func rowCell(s shape, names []string, src source) (pagedata.Cell, bool) {
	at, score := bestColumn(*src.table, names...)
	var cell pagedata.Cell
	if score >= good {
		cell = src.row[at]
	}
	switch {
	case wantsImage(names):
		cell = firstWith(src.row, cell, func(c pagedata.Cell) string { return c.Image })
	case wantsURL(s, names):
		cell = firstWith(src.row, cell, func(c pagedata.Cell) string { return c.URL })
	case score < good && isName(names):
		cell = unnamedCell(src)
	}
	return cell, cell.Text != ""
}

// firstWith takes an address from the cell, or else from the first cell that
// has one.
func firstWith(row []pagedata.Cell, cell pagedata.Cell, address func(pagedata.Cell) string) pagedata.Cell {
	for _, c := range append([]pagedata.Cell{cell}, row...) {
		if address(c) != "" {
			return pagedata.Cell{Text: address(c)}
		}
	}
	return cell
}

func isName(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Equal(canonical(n), []string{"name"}) })
}

// unnamedCell is the first cell without a header: what the row is about.
func unnamedCell(src source) pagedata.Cell {
	for i, c := range src.row {
		if src.table.Columns[i] == "" && c.Text != "" {
			return c
		}
	}
	if len(src.row) > 0 && src.table.List {
		return src.row[0]
	}
	return pagedata.Cell{}
}

// pageCells are the places on a page where a value may stand, the best first.
func pageCells(s shape, names []string, r reading) (cells []pagedata.Cell) {
	if v, ok := bestValue(r.data, names...); ok {
		cells = append(cells, v)
	}
	for _, t := range r.data.Tables {
		if at, score := bestColumn(t, names...); len(t.Rows) == 1 && score >= good {
			cells = append(cells, t.Rows[0][at])
		}
	}
	is := func(what ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(what, normal(n)) })
	}
	switch {
	case is("title", "page title", "pagetitle"):
		cells = append(cells, pagedata.Cell{Text: r.mainHeadingOrTitle(is("page title", "pagetitle") || r.want.title)})
	case isName(names) || is("heading", "headline", "h1"):
		cells = append(cells, pagedata.Cell{Text: r.mainHeading()})
	case wantsURL(s, names):
		cells = append(cells, pagedata.Cell{Text: r.data.URL, URL: r.data.URL})
	case is("text", "content", "body") && r.text != "":
		cells = append(cells, pagedata.Cell{Text: r.text})
	}
	return slices.DeleteFunc(cells, func(c pagedata.Cell) bool { return c.Text == "" })
}

// mainHeadingOrTitle: the title of a page is in its head, the title of a thing
// is the heading of its page.
func (r reading) mainHeadingOrTitle(ofPage bool) string {
	if ofPage {
		return r.data.Title
	}
	return cmp.Or(r.mainHeading(), r.data.Title)
}

// splitList cuts "red, blue" into its items.
func splitList(text string) []string {
	items := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|·•\n", r) })
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return slices.DeleteFunc(items, func(s string) bool { return s == "" })
}
