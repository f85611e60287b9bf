package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/pagedata"
)

// subject is what a step asks about: the page, a table, or one row of it.
type subject struct {
	table *pagedata.Table // nil for the page
	row   []pagedata.Cell // nil for all rows
}

// fitting says whether a table has what is asked for.
type fitting func(*pagedata.Table) bool

// subject finds what the step is about; missing says why there is none. Where
// several rows or tables may be meant there is none.
func (r reading) subject(fits fitting) (s subject, missing string) {
	switch w := r.want; {
	case w.row != "":
		s, missing, found := r.row(fits, w.row)
		switch {
		case !found && len(r.tables(fits)) == 0:
			missing = fmt.Sprintf("there is no table with %q and a row %q", w.names, w.row)
		case !found:
			missing = fmt.Sprintf("no row of the table has %q in it", w.row)
		}
		return s, missing
	case w.scope != "":
		return r.inWords(w.scope, fits)
	}
	return subject{}, ""
}

// tables are those that fit; nil is any.
func (r reading) tables(fits ...fitting) (all []*pagedata.Table) {
	for i := range r.data.Tables {
		t := &r.data.Tables[i]
		if len(t.Rows) > 0 && !slices.ContainsFunc(fits, func(is fitting) bool { return is != nil && !is(t) }) {
			all = append(all, t)
		}
	}
	return all
}

// inWords finds what is called "second order", "order #1003", "each product",
// "orders table" or "Toaster".
func (r reading) inWords(text string, fits fitting) (s subject, missing string) {
	words := strings.Fields(text)
	if len(words) > 1 {
		words = slices.DeleteFunc(words, func(w string) bool { return is(w, "determiners") })
	}
	if len(words) == 0 {
		return s, fmt.Sprintf("it is not said what is meant by %q", text)
	}
	first, last, n := strings.ToLower(words[0]), words[len(words)-1], len(words)
	isTable, things := is(strings.ToLower(last), "tables"), []string{text}
	if n > 1 && strings.ContainsAny(last, "0123456789#") { // order #1003
		things = []string{strings.Join(words, " "), last}
	}
	number, err := strconv.Atoi(last)
	switch nth := ordinal(first); {
	case nth != 0 && n > 1 && isTable:
		return r.nthTable(nth, strings.Join(words[1:n-1], " "), fits)
	case nth != 0:
		return r.nthRow(nth, strings.Join(words[1:], " "), fits)
	case n == 2 && err == nil && is(first, "rowNouns"):
		return r.nthRow(number, "row", fits)
	case is(first, "each"):
		return r.theTable(strings.Join(words[1:], " "), fits)
	case isTable:
		return r.theTable(strings.Join(words[:n-1], " "), fits)
	}
	if s, missing, found := r.row(fits, things...); found {
		return s, missing
	}
	if s, ok := r.rowsCalled(text, fits); ok {
		return s, ""
	}
	return subject{}, fmt.Sprintf("the page has no row, table or heading that is called %q", text)
}

// row finds the one row that has a text in a cell, as all of it or else as words
// in it, or that the page itself is about the thing. There the tables of related
// things have only others that sound like it.
func (r reading) row(fits fitting, things ...string) (s subject, missing string, found bool) {
	about := r.isAbout(things[0])
	tables := r.tables(fits, func(t *pagedata.Table) bool { return !about || t.Part == "" })
	for _, thing := range things {
		for _, is := range saying(thing) {
			n := 0
			for _, t := range tables {
				for _, row := range t.Rows {
					if slices.ContainsFunc(row, func(c pagedata.Cell) bool { return is(c.Text) }) {
						s = subject{t, row}
						n++
					}
				}
			}
			switch {
			case n == 1:
				return s, "", true
			case n > 1:
				return subject{}, fmt.Sprintf("%d rows have %q in them; it is not said which is meant", n, thing), true
			}
		}
	}
	return subject{}, "", about
}

// plainWords are the words of a text without what stands between them.
func plainWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return strings.ContainsRune(" \t\n#:,;.()[]\"'", c) }), " ")
}

// nthRow is a row by its number; -1 is the last.
func (r reading) nthRow(n int, thing string, fits fitting) (s subject, missing string) {
	if s, missing = r.theTable(thing, fits); missing != "" {
		return s, missing
	}
	rows := s.table.Rows
	switch {
	case n < 0 && r.data.Incomplete:
		return subject{}, "the page is too long to be read to its last row"
	case n < 0:
		n = len(rows)
	case n == 0 || n > len(rows):
		return subject{}, fmt.Sprintf("there is no row %d: the table has %d", n, len(rows))
	}
	s.row = rows[n-1]
	return s, ""
}

func (r reading) nthTable(n int, thing string, fits fitting) (s subject, missing string) {
	all := r.tables(func(t *pagedata.Table) bool { return !t.List })
	if len(all) == 0 {
		all = r.tables()
	}
	if n < 0 {
		n = len(all)
	}
	switch {
	case thing != "":
		return s, fmt.Sprintf("it is not said which table is meant by %q", thing)
	case n == 0 || n > len(all) || fits != nil && !fits(all[n-1]):
		return s, fmt.Sprintf("the page has %d tables", len(all))
	}
	return subject{table: all[n-1]}, ""
}

// theTable is the one table that is called like that, or the only one there is,
// if the name is one noun, which any rows may be: of two words the first says
// which.
func (r reading) theTable(thing string, fits fitting) (s subject, missing string) {
	oneNoun := len(strings.Fields(thing)) < 2 && !strings.ContainsAny(thing, "0123456789")
	for _, keep := range []fitting{
		func(t *pagedata.Table) bool { return match(thing, t.Name, nil) > 0 },
		func(t *pagedata.Table) bool {
			return isPhraseOf(strings.Join(stems(thing), " "), strings.Join(stems(t.Name), " "))
		},
		func(t *pagedata.Table) bool { return !t.List && oneNoun },
		func(t *pagedata.Table) bool { return t.List && oneNoun },
	} {
		switch all := r.tables(fits, keep); len(all) {
		case 0:
		case 1:
			return subject{table: all[0]}, ""
		default:
			return s, "the page has several tables: " + namesOf(all) + "; it is not said which is meant"
		}
	}
	if thing == "" || is(thing, "rowNouns") {
		return s, "the page has no table"
	}
	return s, fmt.Sprintf("the page has no table of %q", thing)
}

func namesOf(tables []*pagedata.Table) string {
	var names []string
	for i, t := range tables {
		name := strconv.Quote(t.Name)
		if t.Name == "" {
			name = fmt.Sprintf("number %d", i+1)
		}
		names = append(names, excerpt(name, 60))
	}
	return strings.Join(names[:min(len(names), shownNames)], ", ")
}

// isAbout reports whether the page itself is about a thing: the price of
// "Kettle" on the page of the kettle.
func (r reading) isAbout(thing string) bool {
	is := func(text string) bool { return isPhraseOf(plainWords(thing), plainWords(text)) }
	return is(r.data.Title) || slices.ContainsFunc(r.mainHeadings(), is)
}

// mainHeadings are those of the highest level there is.
func (r reading) mainHeadings() (all []string) {
	top := 7
	for _, h := range r.data.Headings {
		top = min(top, h.Level)
	}
	for _, h := range r.data.Headings {
		if h.Level == top {
			all = append(all, h.Text)
		}
	}
	return all
}

// isPlural reports whether a name is one in the plural: "products" are the
// rows of the only table, whatever that is called.
func isPlural(name string) bool {
	w := strings.Fields(name)
	return len(w) > 0 && !slices.Equal(stems(w[len(w)-1]), names.Words(w[len(w)-1]))
}
