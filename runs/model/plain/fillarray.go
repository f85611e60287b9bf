package plain

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/runs/internal/pagedata"
)

// array fills a list: of objects from the rows of a table, of single values
// from a column, a list or a value with commas.
func (f *filler) array(s shape, names []string, src source) (v any, ok bool) {
	item := shapeOf(s.items, f.root)
	for _, choice := range item.choices { // a list of this or that: of the objects
		if c := shapeOf(choice, f.root); c.is("object") {
			item = c
		}
	}
	if src.table != nil {
		return f.splitCell(item, names, src)
	}
	if item.is("object") && len(item.props) > 0 {
		return f.objects(s, item, names)
	}
	return f.singles(item, names)
}

// splitCell makes a list of one cell.
func (f *filler) splitCell(item shape, names []string, src source) (any, bool) {
	cell, ok := rowCell(item, names, src)
	if !ok {
		return nil, false
	}
	return coerceAll(splitList(cell.Text), item, src.lang)
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
	table   pagedata.Table
	reading reading
	score   float64
}

// objects fills a list of objects from the rows of the table that fits best.
func (f *filler) objects(s, item shape, names []string) (any, bool) {
	var all []ranked
	for i, r := range f.reads {
		for _, t := range r.data.Tables {
			if score := f.tableScore(t, item); score > 0 {
				all = append(all, ranked{t, r, score + hint(t, r, names) - 0.1*float64(i)})
			}
		}
	}
	if len(all) == 0 {
		return nil, false
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	best := all[min(f.rank, len(all)-1)]
	t := best.table
	if row := best.reading.want.row; row != "" {
		t = withRow(t, row)
	}
	out := []any{}
	for _, row := range t.Rows {
		if v, ok := f.fill(s.items, nil, source{table: &t, row: row, lang: best.reading.data.Lang}); ok {
			out = append(out, v)
		}
	}
	return out, len(out) > 0
}

// tableScore is the share of an object's properties that a table has columns
// for, the required ones counting twice; 0 if it has none.
func (f *filler) tableScore(t pagedata.Table, item shape) float64 {
	found, total := 0.0, 0.0
	for _, p := range item.props {
		weight := 1.0
		if slices.Contains(item.required, p.name) {
			weight = 2
		}
		total += weight
		names := shapeOf(p.schema, f.root).names(p.name)
		if _, score := bestColumn(t, names...); score >= good {
			found += weight * score
		} else if cell, ok := rowCell(shapeOf(p.schema, f.root), names, source{table: &t, row: t.Rows[0]}); ok && cell.Text != "" {
			found += weight / 2
		}
	}
	if total == 0 {
		return 0
	}
	if t.List {
		found *= 0.95
	}
	return found / total
}

// hint prefers tables that are called what the schema or the task calls them.
func hint(t pagedata.Table, r reading, names []string) (score float64) {
	names = append(append(slices.Clone(names), r.want.labels...), r.want.phrases...)
	for _, n := range names {
		score = max(score, 0.3*similarity(n, t.Name))
	}
	return score
}

// singles fills a list of single values.
func (f *filler) singles(item shape, names []string) (any, bool) {
	for _, r := range f.reads {
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
	for _, t := range r.data.Tables {
		if at, score := bestColumn(t, names...); score >= good {
			all = append(all, columnTexts(t, at))
		}
	}
	if v, ok := bestValue(r.data, names...); ok {
		all = append(all, splitList(v.Text))
	}
	for _, t := range r.data.Tables {
		if slices.ContainsFunc(names, func(n string) bool { return similarity(n, t.Name) >= good }) {
			all = append(all, columnTexts(t, 0))
		}
	}
	var plain []pagedata.Table
	for _, t := range r.data.Tables {
		if t.List {
			plain = append(plain, t)
		}
	}
	if len(plain) == 1 {
		all = append(all, columnTexts(plain[0], 0))
	}
	return all
}

func columnTexts(t pagedata.Table, at int) (texts []string) {
	for _, row := range t.Rows {
		if row[at].Text != "" {
			texts = append(texts, row[at].Text)
		}
	}
	return texts
}
