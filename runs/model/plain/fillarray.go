package plain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/pagedata"
)

// array fills a list: of objects from the rows of a table, of single values
// from a column, a list or a value with commas.
func (f *filler) array(s shape, names []string, src source) (v any, ok bool) {
	item := f.shapeOf(s.items)
	for _, choice := range item.choices { // a list of this or that: of the objects
		if c := f.shapeOf(choice); c.is("object") {
			item = c
		}
	}
	switch {
	case src.table != nil:
		var texts [][]string
		for _, c := range f.rowCells(item, names, src) {
			texts = append(texts, splitList(c.cell.Text))
		}
		return firstThatIs(item, texts, f.reads[src.reading].data.Lang)
	case item.is("object") && len(item.props) > 0:
		return f.objects(s, item, names)
	case item.isFree():
		return f.rows(names)
	case src.none:
		return nil, false
	}
	for _, r := range f.reads {
		if r.data.Incomplete {
			f.missing = cmp.Or(f.missing, tooLong)
		} else if v, ok := firstThatIs(item, r.lists(f.wantedNames(names, r)), r.data.Lang); ok {
			return v, true
		}
	}
	return nil, false
}

// firstThatIs is the first of the lists of which each text is an item.
func firstThatIs(item shape, all [][]string, lang string) (any, bool) {
	for _, texts := range all {
		out := []any{}
		for _, text := range texts {
			if v, ok := coerce(pagedata.Cell{Text: text}, item, lang); ok {
				out = append(out, v)
			}
		}
		if len(out) == len(texts) && len(out) > 0 {
			return out, true
		}
	}
	return nil, false
}

// ranked is a table with how well it fits.
type ranked struct {
	source
	score float64
}

// objects fills a list of objects from the rows of the table that fits best.
func (f *filler) objects(s, item shape, names []string) (any, bool) {
	all := f.ranked(item, names)
	f.tables = max(f.tables, len(all))
	if f.rank >= len(all) {
		return nil, false
	}
	best := all[f.rank]
	if f.rank+1 < len(all) && all[f.rank+1].score == best.score && f.isComplete(item, best.source) && f.isComplete(item, all[f.rank+1].source) {
		f.missing = "several tables fit: " + namesOf([]*pagedata.Table{best.table, all[f.rank+1].table}) + "; it is not said which is meant"
		f.unsaid = true
		return nil, false
	}
	rows := best.table.Rows
	if best.row != nil {
		rows = [][]pagedata.Cell{best.row}
	}
	out := []any{}
	for _, row := range rows {
		before := f.taken
		f.taken = map[place]owner{}
		if v, ok := f.fill(s.items, nil, source{reading: best.reading, table: best.table, row: row}); ok {
			out = append(out, v)
		}
		f.taken = before
	}
	return out, len(out) > 0
}

// isComplete reports whether each row of a table fills what is required.
func (f *filler) isComplete(item shape, src source) bool {
	for _, p := range item.props {
		s := f.shapeOf(p.Schema)
		if slices.Contains(item.required, p.Name) && slices.ContainsFunc(src.table.Rows, func(row []pagedata.Cell) bool {
			src.row = row
			cells := f.rowCells(s, s.names(p.Name), src)
			if len(cells) == 0 {
				return true
			}
			_, ok := cells[0].coerce(s, f.reads[src.reading].data.Lang)
			return !ok
		}) {
			return false
		}
	}
	return true
}

// ranked are the tables that may be meant, the best first.
func (f *filler) ranked(item shape, names []string) (all []ranked) {
	for i, r := range f.reads {
		fits := func(t *pagedata.Table) bool { return f.tableScore(source{reading: i, table: t}, item) > 0 }
		only, missing := r.subject(fits)
		if missing == "" && only.row == nil && r.data.Incomplete {
			missing = tooLong
		}
		if f.missing = cmp.Or(f.missing, missing); missing != "" {
			continue
		}
		for _, t := range r.tables(fits) {
			if only.table == nil || only.table == t {
				src := source{reading: i, table: t, row: only.row}
				called := 0.3 * matchAny(append(slices.Clone(names), r.want.names()...), t.Name, nil)
				all = append(all, ranked{src, f.tableScore(src, item) + called - 0.1*float64(i)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	return all
}

// tableScore is the share of an object's properties that a table has columns
// for, the required ones counting twice; 0 if it has none.
func (f *filler) tableScore(src source, item shape) float64 {
	found, total := 0.0, 0.0
	src.row = src.table.Rows[0]
	for _, p := range item.props {
		weight := 1.0
		if slices.Contains(item.required, p.Name) {
			weight = 2
		}
		total += weight
		s := f.shapeOf(p.Schema)
		if c := f.column(src, s.names(p.Name)); c.score > 0 {
			found += weight * c.score
		} else if len(f.rowCells(s, s.names(p.Name), src)) > 0 {
			found += weight / 2
		}
	}
	if src.table.List {
		found *= 0.95
	}
	return found / max(total, 1)
}

// rows fills a list of which nothing is said but that it is one: from the table
// that is called like it, or that the task asks for.
func (f *filler) rows(names []string) (any, bool) {
	for _, r := range f.reads {
		called := func(t *pagedata.Table) bool { return len(names) == 0 || matchAny(names, t.Name, r.context()) > 0 }
		s, missing := r.subject(called)
		if missing == "" && s.table == nil {
			s, missing = r.theTable(strings.Join(r.want.names(), " "), called)
		}
		if missing == "" && r.data.Incomplete {
			missing = tooLong
		}
		if missing == "" {
			return rowsOf(*s.table, nil), true
		}
		f.missing = cmp.Or(f.missing, missing)
	}
	return nil, false
}

// lists are the lists of texts that names may mean, the best first: the column
// that fits best, if it is one, a value with commas, the tables that are called
// so, and the only list of the page if the task itself asks for it by the name.
func (r reading) lists(names []string) (all [][]string) {
	tables := r.tables(nil)
	columns := make([]fit, len(tables))
	for i, t := range tables {
		columns[i] = r.bestColumn(t, names...)
	}
	best := bestOf(len(tables), func(i int) float64 { return columns[i].score }, nil)
	if best.found() {
		all = append(all, columnTexts(tables[best.at], columns[best.at].at))
	}
	if c := r.value(names...); c.found() {
		all = append(all, splitList(c.cell.Text))
	}
	for _, t := range tables {
		if matchAny(names, t.Name, nil) > 0 {
			all = append(all, columnTexts(t, 0))
		}
	}
	plain := r.tables(func(t *pagedata.Table) bool { return t.List && len(t.Columns) == 1 })
	asked := slices.ContainsFunc(append(r.want.names(), r.want.scope), func(a string) bool { return matchAny(names, a, nil) > 0 })
	if asked && len(plain) == 1 {
		all = append(all, columnTexts(plain[0], 0))
	}
	return all
}

func columnTexts(t *pagedata.Table, at int) (texts []string) {
	for _, row := range t.Rows {
		if row[at].Text != "" {
			texts = append(texts, row[at].Text)
		}
	}
	return texts
}

// splitList cuts "red, blue" into its items.
func splitList(text string) []string {
	items := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|·•\n", r) })
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return slices.DeleteFunc(items, func(s string) bool { return s == "" })
}
