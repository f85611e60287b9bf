package plain

import (
	"slices"

	"github.com/drover-go/drover/runs/internal/pagedata"
)

// choice is the value that a name means.
type choice struct {
	cell  pagedata.Cell
	label string
	at    int
	// score is how well it fits.
	score float64
	// found says that there is one; several that more than one fits best.
	found, several bool
}

// value returns the labelled value of a name.
func (r reading) value(names ...string) (best choice) { return r.valueIn(r.context(), names...) }

func (r reading) valueIn(context []string, names ...string) (best choice) {
	proper := func(v pagedata.Value) bool { return v.Part == "" }
	if best = r.bestValue(proper, context, names); best.score > 0 {
		return best
	}
	return r.bestValue(func(v pagedata.Value) bool { return v.Part != "" && r.isOwn(v.Part, names) }, context, names)
}

// bestValue is the value that fits best of those that may be meant.
func (r reading) bestValue(may func(pagedata.Value) bool, context, names []string) (best choice) {
	for i, v := range r.data.Values {
		if !may(v) {
			continue
		}
		for _, name := range names {
			score := match(name, v.Label, context)
			if v.Weak {
				score *= 0.95
			}
			switch {
			case score == 0 || score < best.score || !hasMeasure(names, v.Label, v.Value.Text, r.data.Lang):
			case score > best.score:
				best = choice{cell: v.Value, label: v.Label, at: i, score: score, found: true}
			case v.Value.Text != best.cell.Text:
				best.found, best.several = false, true
			}
		}
	}
	return best
}

// context are words that stand for the whole page: its title and main
// headings, and for a schema what the step calls it, if that is one thing.
func (r reading) context() []string {
	texts := append(r.mainHeadings(), shorten(r.data.Title, maxTitle))
	if names := r.want.names(); len(names) == 1 && r.shaped {
		texts = append(texts, names[0])
	}
	var all []string
	for _, text := range texts {
		all = append(all, senses(text)...)
	}
	return all
}

// maxTitle is how much of a title is looked at.
const maxTitle = 300

// column is a column of a table under the name that the task has for it.
type column struct {
	name string
	at   int
	// asked says that the task has the name, not the page.
	asked bool
}

// columnsOf finds all of the names among the columns of a table.
func (r reading) columnsOf(t *pagedata.Table, names []string) (columns []column, ok bool) {
	for _, name := range names {
		at, score := r.bestColumn(t, name)
		if score == 0 && slices.Equal(senses(name), []string{"url"}) {
			at, score = linkColumn(t)
		}
		if score == 0 {
			return nil, false
		}
		columns = append(columns, column{name, at, true})
	}
	return columns, true
}

// linkColumn is the only column with links in it.
func linkColumn(t *pagedata.Table) (at int, score float64) {
	for i := range t.Columns {
		if slices.ContainsFunc(t.Rows, func(row []pagedata.Cell) bool { return row[i].URL != "" && row[i].URL != row[i].Image }) {
			if score > 0 {
				return 0, 0
			}
			at, score = i, byContext
		}
	}
	return at, score
}

// bestColumn is the column that has one of the names; the score is 0 if none
// has, or several have as well.
func (r reading) bestColumn(t *pagedata.Table, names ...string) (at int, score float64) {
	context := append(senses(t.Name), r.context()...)
	several := false
	for i, c := range t.Columns {
		for _, name := range names {
			s := match(name, c, context)
			switch {
			case s == 0 || s < score || i == at && s == score:
			case s > score:
				at, score, several = i, s, false
			default:
				several = true
			}
		}
	}
	if several {
		return 0, 0
	}
	return at, score
}
