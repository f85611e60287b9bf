package plain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/schema"
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
	case src.row != nil:
		r := f.reads[src.reading]
		var all []texts
		for _, c := range r.choices(src.row, names) {
			all = append(all, texts{c.label, splitList(c.cell.Text)})
		}
		return firstThatIs(item, names, all, r.data.Lang)
	case item.is("object") && len(item.props) > 0:
		return f.objects(s, item, names)
	case item.isFree():
		return f.rows(names)
	case src.none:
		return nil, false
	}
	for _, r := range f.reads {
		names := r.wantedNames(names)
		if r.data.Incomplete {
			f.missing = cmp.Or(f.missing, tooLong)
		} else if v, ok := firstThatIs(item, names, r.lists(names), r.data.Lang); ok {
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
	table    *pagedata.Table
	score    float64 // how well it fits
	rows     []any
	complete bool // nothing is missing that is required
}

// objects fills a list of objects from the rows of the table that fits best, of
// those that have what is required if there are any.
func (f *filler) objects(s, item shape, names []string) (any, bool) {
	all := f.tables(s, item, names)
	slices.SortStableFunc(all, func(a, b filled) int {
		if a.complete != b.complete && a.complete {
			return -1
		} else if a.complete != b.complete {
			return 1
		}
		return cmp.Compare(b.score, a.score)
	})
	switch {
	case len(all) == 0:
		return nil, false
	case len(all) > 1 && all[0].complete == all[1].complete && all[0].score == all[1].score:
		f.missing = "several tables fit: " + namesOf([]*pagedata.Table{all[0].table, all[1].table}) + "; it is not said which is meant"
		f.unsaid = true
		return nil, false
	}
	return all[0].rows, true
}

// tables are the lists that the tables make which may be meant.
func (f *filler) tables(s, item shape, names []string) (all []filled) {
	for i, r := range f.reads {
		fits := func(t *pagedata.Table) bool { return f.tableScore(i, t, item) > 0 }
		only, missing := r.subject(fits)
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
			called := 0.3 * matchAny(append(slices.Clone(names), r.want.names...), t.Name, nil)
			rows := t.Rows
			if only.row != nil {
				rows = [][]pagedata.Cell{only.row}
			}
			one := filled{table: t, score: f.tableScore(i, t, item) + called - 0.1*float64(i)}
			if one.rows, one.complete = f.fillRows(s.items, i, t, rows); len(one.rows) > 0 {
				all = append(all, one)
			}
		}
	}
	return all
}

func (f *filler) fillRows(item *schema.Outline, reading int, t *pagedata.Table, rows [][]pagedata.Cell) (out []any, complete bool) {
	taken, lacking := f.taken, f.lacking
	defer func() { f.taken, f.lacking = taken, lacking }()
	for _, row := range rows {
		f.taken = map[use]owner{}
		if v, ok := f.fill(item, nil, source{reading: reading, row: rowFacts(t, row)}); ok {
			out = append(out, v)
		}
	}
	return out, f.lacking == lacking
}

// tableScore is the share of an object's properties that a table has columns
// for, the required ones counting twice; 0 if it has none.
func (f *filler) tableScore(reading int, t *pagedata.Table, item shape) float64 {
	found, total, first := 0.0, 0.0, rowFacts(t, t.Rows[0])
	for _, p := range item.props {
		weight := 1.0
		if slices.Contains(item.required, p.Name) {
			weight = 2
		}
		total += weight
		for _, c := range f.reads[reading].choices(first, f.shapeOf(p.Schema).names(p.Name)) {
			switch {
			case c.rank == bareCell:
				found += weight / 2
			case c.found():
				found += weight * c.score
			}
		}
	}
	if t.List {
		found *= 0.95
	}
	return found / max(total, 1)
}

// rows fills a list of which nothing is said but that it is one: from the table
// that is called like it, or that the task asks for.
func (f *filler) rows(names []string) (any, bool) {
	for _, r := range f.reads {
		called := func(t *pagedata.Table) bool { return len(names) == 0 || matchAny(names, t.Name, r.known.context) > 0 }
		s, missing := r.subject(called)
		if missing == "" && s.table == nil {
			s, missing = r.theTable(strings.Join(r.want.names, " "), called)
		}
		if missing == "" && r.data.Incomplete {
			missing = tooLong
		}
		if missing == "" {
			return r.rowsOf(s.table, s.table.Rows, nil), true
		}
		f.missing = cmp.Or(f.missing, missing)
	}
	return nil, false
}

// lists are the lists of texts that names may mean, the best first: the column
// that fits best, if it is one, a value with commas, the tables that are called
// so, and the only list of the page if the task itself asks for it by the name.
func (r reading) lists(names []string) (all []texts) {
	tables, best := r.tables(), choice{}
	for _, t := range tables {
		if c := r.choose(rowFacts(t, t.Rows[0]), names...); c.found() && c.rank == labelled {
			best.consider(c.fact, c.score)
		}
	}
	if best.found() {
		all = append(all, texts{best.label, columnTexts(best.table, best.at)})
	}
	if c := r.choose(r.known.facts, names...); c.found() {
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
