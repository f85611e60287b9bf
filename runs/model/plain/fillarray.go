package plain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/internal/schema"
)

// array fills a list: of objects from the rows of a table, of single values
// from a column, a list or a value with commas.
func (f *filler) array(s shape, names []string, src source) (v any, ok bool) {
	item := f.shapeOf(s.Items)
	for _, one := range item.variants() { // a list of this or that: of the objects
		if one.is("object") {
			item = one
		}
	}
	if !src.inRow && (item.is("object") && len(item.Properties) > 0 || item.isFree()) {
		return f.objects(s, item, names)
	}
	for _, r := range src.reads {
		names, all := src.names(names, r), []texts{}
		switch {
		case src.inRow:
			for _, c := range r.choices(names) {
				all = append(all, texts{c.label, splitList(onlyThe(c.cell, c.kind(names, item)).Text)})
			}
		case r.data.Incomplete:
			f.missing = cmp.Or(f.missing, tooLong)
		default:
			all = r.lists(names)
		}
		if v, ok := firstThatIs(item, names, all, r.data.Lang); ok {
			return v, true
		}
	}
	return nil, false
}

// texts are those of a list and the label that it has.
type texts struct {
	label string
	all   []string
}

// firstThatIs is the first of the lists of which each text is an item.
func firstThatIs(item shape, names []string, all []texts, lang string) (any, bool) {
	m := measureOf(names)
	for _, list := range all {
		out := []any{}
		for _, text := range list.all {
			if v, ok := coerceIn(m, list.label, pagedata.Cell{Text: text}, item, lang); ok {
				out = append(out, v)
			}
		}
		if len(out) == len(list.all) && len(out) > 0 {
			return out, true
		}
	}
	return nil, false
}

// filled is a list of objects from a table.
type filled struct {
	table *pagedata.Table
	score float64 // how well it fits
	rows  []any
}

// complete is what a table's score has more where nothing is missing that is
// required.
const complete = 100

// objects fills a list of objects from the rows of the table that fits best, of
// those that have what is required if there are any.
func (f *filler) objects(s, item shape, names []string) (any, bool) {
	all := f.tables(s, item, names)
	slices.SortStableFunc(all, func(a, b filled) int { return cmp.Compare(b.score, a.score) })
	switch {
	case len(all) == 0:
		return nil, false
	case len(all) > 1 && all[0].score == all[1].score:
		f.missing = "several tables fit: " + namesOf([]*pagedata.Table{all[0].table, all[1].table}) + "; it is not said which is meant"
		f.unsaid = true
		return nil, false
	}
	return all[0].rows, true
}

// tables are the lists that the tables make which may be meant.
func (f *filler) tables(s, item shape, names []string) (all []filled) {
	for i, r := range f.reads {
		score := func(t *pagedata.Table) float64 { return f.tableScore(r, t, item) }
		if item.isFree() && len(names) > 0 {
			score = func(t *pagedata.Table) float64 { return float64(matchAny(names, t.Name, r.known.context)) / exact }
		}
		fits := func(t *pagedata.Table) bool { return score(t) > 0 }
		only, missing := r.subject(fits)
		if missing == "" && only.table == nil && item.isFree() {
			only, missing = r.theTable(strings.Join(r.want.names, " "), fits)
		}
		if missing == "" && only.row == nil && r.data.Incomplete {
			missing = tooLong
		}
		if f.missing = cmp.Or(f.missing, missing); missing != "" {
			continue
		}
		for _, t := range r.tables(fits) {
			if only.table != nil && only.table != t {
				continue
			}
			rows := t.Rows
			if only.row != nil {
				rows = [][]pagedata.Cell{only.row}
			}
			called := 0.3 * float64(matchAny(append(slices.Clone(names), r.want.names...), t.Name, nil)) / exact
			one := filled{t, score(t) + called - 0.1*float64(i), nil}
			if f.fillRows(&one, s.Items, r, rows); len(one.rows) > 0 {
				all = append(all, one)
			}
		}
	}
	return all
}

// fillRows makes an object of each row; of all that it has where nothing is said
// of objects but that they are.
func (f *filler) fillRows(list *filled, o *schema.Outline, r reading, rows [][]pagedata.Cell) {
	taken, lacking := f.taken, f.lacking
	for i, row := range rows {
		if f.shapeOf(o).isFree() {
			list.rows = append(list.rows, r.rowsOf(list.table, rows[i:i+1], nil)[0])
			continue
		}
		f.taken = map[use]owner{}
		if v, ok := f.fill(o, nil, source{reads: []reading{r.in(list.table, row)}, inRow: true}); ok {
			list.rows = append(list.rows, v)
		}
	}
	if f.lacking == lacking {
		list.score += complete
	}
	f.taken, f.lacking = taken, lacking
}

// tableScore is the share of an object's properties that a table has columns
// for, the required ones counting twice; 0 if it has none.
func (f *filler) tableScore(r reading, t *pagedata.Table, item shape) float64 {
	found, total := 0.0, 0.0
	for _, p := range item.Properties {
		weight := 1.0
		if slices.Contains(item.Required, p.Name) {
			weight = 2
		}
		total += weight
		for _, c := range r.in(t, t.Rows[0]).choices(f.shapeOf(p.Schema).names(p.Name)) {
			switch {
			case c.rank == bareCell:
				found += weight / 2
			case c.found():
				found += weight * float64(c.score) / exact
			}
		}
	}
	if len(item.Properties) == 0 {
		found = 1
	}
	if t.List {
		found *= 0.95
	}
	return found / max(total, 1)
}

// lists are the lists of texts that names may mean, the best first: the column
// that fits best, if it is one, a value with commas, the tables that are called
// so, and the only list of the page if the task itself asks for it by the name.
func (r reading) lists(names []string) (all []texts) {
	tables, best := r.tables(), choice{}
	for _, t := range tables {
		if c := r.in(t, t.Rows[0]).choose(names...); c.found() && c.rank == labelled {
			best.consider(c.fact, c.score)
		}
	}
	if best.found() {
		all = append(all, texts{best.label, columnTexts(best.table, best.at)})
	}
	if c := r.choose(names...); c.found() {
		all = append(all, texts{c.label, splitList(c.cell.Text)})
	}
	var lists []*pagedata.Table
	for _, t := range tables {
		if matchAny(names, t.Name, nil) > 0 {
			all = append(all, texts{t.Name, columnTexts(t, 0)})
		}
		if t.List && len(t.Columns) == 1 {
			lists = append(lists, t)
		}
	}
	asked := slices.ContainsFunc(append(slices.Clip(r.want.names), r.want.scope), func(a string) bool { return matchAny(names, a, nil) > 0 })
	if asked && len(lists) == 1 {
		all = append(all, texts{lists[0].Name, columnTexts(lists[0], 0)})
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
