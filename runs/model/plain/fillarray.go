package plain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/pagedata"
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
		return f.splitCell(item, names, src)
	case item.is("object") && len(item.props) > 0:
		return f.objects(s, item, names)
	case item.isFree():
		return f.rows(names)
	case src.none:
		return nil, false
	}
	return f.singles(item, names)
}

// splitCell makes a list of one cell.
func (f *filler) splitCell(item shape, names []string, src source) (any, bool) {
	for _, c := range f.rowCells(item, names, src) {
		if v, ok := coerceAll(splitList(c.cell.Text), item, f.reads[src.reading].data.Lang); ok {
			return v, true
		}
	}
	return nil, false
}

func coerceAll(texts []string, item shape, lang string) (any, bool) {
	out := []any{}
	for _, text := range texts {
		v, ok := coerce(pagedata.Cell{Text: text}, item, lang)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, len(out) > 0
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
	if len(all) == 0 || f.rank >= len(all) {
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
		if !slices.Contains(item.required, p.name) {
			continue
		}
		s := f.shapeOf(p.schema)
		for _, row := range src.table.Rows {
			src.row = row
			cells := f.rowCells(s, s.names(p.name), src)
			if len(cells) == 0 {
				return false
			}
			if _, ok := cells[0].coerce(s, f.reads[src.reading].data.Lang); !ok {
				return false
			}
		}
	}
	return true
}

// ranked are the tables that may be meant, the best first.
func (f *filler) ranked(item shape, names []string) (all []ranked) {
	for i, r := range f.reads {
		fits := func(t *pagedata.Table) bool { return f.tableScore(source{reading: i, table: t}, item) > 0 }
		only, missing := r.subject(fits)
		if missing != "" {
			f.missing = cmp.Or(f.missing, missing)
			continue
		}
		if only.row == nil && r.data.Incomplete {
			f.missing = cmp.Or(f.missing, tooLong)
			continue
		}
		for _, t := range r.tables(fits) {
			if only.table == nil || only.table == t {
				src := source{reading: i, table: t, row: only.row}
				all = append(all, ranked{src, f.tableScore(src, item) + hint(t, r, names) - 0.1*float64(i)})
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
		if slices.Contains(item.required, p.name) {
			weight = 2
		}
		total += weight
		s := f.shapeOf(p.schema)
		if c := f.column(src, s.names(p.name)); c.score > 0 {
			found += weight * c.score
		} else if len(f.rowCells(s, s.names(p.name), src)) > 0 {
			found += weight / 2
		}
	}
	if total == 0 {
		return 0
	}
	if src.table.List {
		found *= 0.95
	}
	return found / total
}

// hint prefers tables that are called what the schema or the task calls them.
func hint(t *pagedata.Table, r reading, names []string) (score float64) {
	for _, n := range append(slices.Clone(names), r.want.names()...) {
		score = max(score, 0.3*match(n, t.Name, nil))
	}
	return score
}

// rows fills a list of which nothing is said but that it is one: from the table
// that is called like it, or that the task asks for.
func (f *filler) rows(names []string) (any, bool) {
	for _, r := range f.reads {
		called := func(t *pagedata.Table) bool {
			return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return match(n, t.Name, r.context()) > 0 })
		}
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

// singles fills a list of single values.
func (f *filler) singles(item shape, names []string) (any, bool) {
	for _, r := range f.reads {
		if r.data.Incomplete {
			f.missing = cmp.Or(f.missing, tooLong)
			continue
		}
		for _, texts := range lists(r, f.wantedNames(names, r)) {
			if v, ok := coerceAll(texts, item, r.data.Lang); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// lists are the lists of texts that names may mean, the best first.
func lists(r reading, names []string) (all [][]string) {
	if column := listColumn(r, names); column != nil {
		all = append(all, column)
	}
	if c := r.value(names...); c.found {
		all = append(all, splitList(c.cell.Text))
	}
	for _, t := range r.tables(nil) {
		if slices.ContainsFunc(names, func(n string) bool { return match(n, t.Name, nil) > 0 }) {
			all = append(all, columnTexts(t, 0))
		}
	}
	return append(all, askedList(r, names)...)
}

// listColumn is the column that fits best, if it is one.
func listColumn(r reading, names []string) (texts []string) {
	best, several := 0.0, false
	for _, t := range r.tables(nil) {
		switch at, score := r.bestColumn(t, names...); {
		case score > best:
			best, several, texts = score, false, columnTexts(t, at)
		case score > 0 && score == best:
			several = true
		}
	}
	if several {
		return nil
	}
	return texts
}

// askedList is the only list of texts on the page, if the task itself asks for
// it by the name.
func askedList(r reading, names []string) [][]string {
	asked := append(r.want.names(), r.want.scope)
	if !slices.ContainsFunc(names, func(n string) bool {
		return slices.ContainsFunc(asked, func(a string) bool { return match(n, a, nil) > 0 })
	}) {
		return nil
	}
	plain := r.tables(func(t *pagedata.Table) bool { return t.List && len(t.Columns) == 1 })
	if len(plain) != 1 {
		return nil
	}
	return [][]string{columnTexts(plain[0], 0)}
}

func columnTexts(t *pagedata.Table, at int) (texts []string) {
	for _, row := range t.Rows {
		if row[at].Text != "" {
			texts = append(texts, row[at].Text)
		}
	}
	return texts
}
