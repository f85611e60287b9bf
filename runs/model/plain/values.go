package plain

import (
	"slices"

	"github.com/drover-go/drover/internal/pagedata"
)

// fit is the one of several that fits names best.
type fit struct {
	at int
	// score is how well it does.
	score float64
	// several says that others that say something else fit as well.
	several bool
}

func (f fit) found() bool { return f.score > 0 && !f.several }

// bestOf is the one of n with the highest score. same says which of equal score
// may stand for each other; nil that none may.
func bestOf(n int, score func(int) float64, same func(i, j int) bool) (best fit) {
	for i := range n {
		switch s := score(i); {
		case s == 0 || s < best.score:
		case s > best.score:
			best = fit{at: i, score: s}
		default:
			best.several = best.several || same == nil || !same(i, best.at)
		}
	}
	return best
}

// choice is the value that a name means.
type choice struct {
	fit
	cell  pagedata.Cell
	label string
}

// value returns the labelled value of a name.
func (r reading) value(names ...string) choice { return r.valueIn(r.context(), names...) }

func (r reading) valueIn(context []string, names ...string) (best choice) {
	for _, proper := range []bool{true, false} {
		best.fit = bestOf(len(r.data.Values), func(i int) float64 {
			v := r.data.Values[i]
			if proper != (v.Part == "") || !r.isOwn(v.Part, names) || !hasMeasure(names, v.Label, v.Value.Text, r.data.Lang) {
				return 0
			}
			score := matchAny(names, v.Label, context)
			if v.Weak {
				score *= 0.95
			}
			return score
		}, func(i, j int) bool { return r.data.Values[i].Value.Text == r.data.Values[j].Value.Text })
		if best.score > 0 {
			best.cell, best.label = r.data.Values[best.at].Value, r.data.Values[best.at].Label
			return best
		}
	}
	return best
}

// context are words that stand for the whole page: its title and main
// headings, and for a schema what the step calls it, if that is one thing.
func (r reading) context() (all []string) {
	texts := append(r.mainHeadings(), shorten(r.data.Title, maxTitle))
	if names := r.want.names(); len(names) == 1 && r.shaped {
		texts = append(texts, names[0])
	}
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
		c := r.bestColumn(t, name)
		if !c.found() && slices.Equal(senses(name), []string{"url"}) { // the only one with links in it
			c = bestOf(len(t.Columns), func(i int) float64 {
				if slices.ContainsFunc(t.Rows, func(row []pagedata.Cell) bool { return row[i].URL != "" && row[i].URL != row[i].Image }) {
					return byContext
				}
				return 0
			}, nil)
		}
		if !c.found() {
			return nil, false
		}
		columns = append(columns, column{name, c.at, true})
	}
	return columns, true
}

// bestColumn is the column that has one of the names; the score is 0 if none
// has, or several have as well.
func (r reading) bestColumn(t *pagedata.Table, names ...string) fit {
	context := append(senses(t.Name), r.context()...)
	best := bestOf(len(t.Columns), func(i int) float64 { return matchAny(names, t.Columns[i], context) }, nil)
	if best.several {
		return fit{}
	}
	return best
}
