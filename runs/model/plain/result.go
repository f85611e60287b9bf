package plain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/runs/internal/pagedata"
)

// unshaped makes an object of what the task names, where no schema says under
// which names; each is of a schema, if that is given.
func (m *machine) unshaped(each *schema.Outline) (result json.RawMessage, missing string) {
	var out object
	reads, sentences := m.wanted()
	for i, r := range reads {
		part, missing := r.object()
		if missing != "" {
			return nil, fmt.Sprintf("%s (in %q)", missing, shorten(sentences[i], 100))
		}
		for _, p := range part {
			out.add(p.name, p.value)
		}
	}
	if out = out.as(each); out == nil {
		return nil, ""
	}
	return encode(out), ""
}

// wanted are the readings that are to be returned, with what the task says: all of
// "return", or the last one where the task says only "read".
func (m *machine) wanted() (reads []reading, sentences []string) {
	i, last := 0, ""
	for _, s := range m.steps {
		if !s.reads() {
			continue
		}
		if last = s.sentence; s.verb == returnVerb && i < len(m.reads) {
			reads, sentences = append(reads, m.reads[i]), append(sentences, last)
		}
		i++
	}
	if reads == nil && len(m.reads) > 0 {
		return m.reads[len(m.reads)-1:], []string{last}
	}
	return reads, sentences
}

// tooLong is why not all rows of a table can be returned.
const tooLong = "the page is too long to be read to its end"

// object returns what the reading's step wants to know.
func (r reading) object() (out object, missing string) {
	r = r.ready(false)
	w := r.want
	if w.all || w.empty() {
		if r.data.Incomplete {
			return nil, tooLong
		}
		return r.everything(), ""
	}
	for _, own := range []string{"title", "url", "heading", "text"} {
		if !w.has(own) {
			continue
		}
		if _, missing := r.mainHeading(); own == "heading" && missing != "" {
			return nil, missing
		}
		out.set(own, r.own(own))
	}
	if w.table && w.scope == "" && w.row == "" {
		s, missing := r.theTable("", nil)
		if missing == "" {
			missing = r.addRows(&out, s, nil)
		}
		if missing != "" {
			return nil, missing
		}
	}
	if names := w.names(); len(names) > 0 || w.row != "" || w.scope != "" {
		missing = r.addNamed(&out, names)
	}
	return out, missing
}

// own is what every page has of that name.
func (r reading) own(name string) string {
	switch name {
	case "title":
		return r.data.Title
	case "url":
		return r.data.URL
	case "text":
		return r.text
	}
	heading, _ := r.mainHeading()
	return heading
}

// everything is the answer to a bare "return": the labelled values and the
// tables, or else title and address.
func (r reading) everything() (out object) {
	for _, v := range r.data.Values {
		if !v.Weak {
			out.add(v.Label, v.Value.Text)
		}
	}
	all := r.tables(nil)
	for i, t := range all {
		name := cmp.Or(t.Name, fmt.Sprintf("table %d", i+1))
		switch {
		case t.List && len(t.Columns) == 1:
			out.add(name, columnTexts(t, 0))
		case len(all) == 1 && !t.List:
			out.add("rows", rowsOf(*t, nil))
		default:
			out.add(name, rowsOf(*t, nil))
		}
	}
	if out == nil {
		out.set("title", r.data.Title)
		out.set("url", r.data.URL)
	}
	return out
}

// mainHeading is the one heading of the highest level. The title of the page
// does not stand for it: it may be long, or be about the site.
func (r reading) mainHeading() (text, missing string) {
	switch all := r.mainHeadings(); len(all) {
	case 0:
		return "", "the page has no heading"
	case 1:
		return all[0], ""
	default:
		return "", fmt.Sprintf("the page has %d headings of the highest level", len(all))
	}
}

// addNamed adds what the task names by label or phrase, of the page or of what
// it says.
func (r reading) addNamed(out *object, names []string) (missing string) {
	if len(names) == 1 && r.want.scope != "" { // date of birth
		r := r
		r.known = &known{scores: map[scoreKey]float64{}} // without what the page is called
		if c := r.value(names[0] + " of " + r.want.scope); c.found() {
			out.set(names[0]+" of "+r.want.scope, c.cell.Text)
			return ""
		}
	}
	s, missing := r.subject(func(t *pagedata.Table) bool { _, ok := r.columnsOf(t, names); return ok })
	if missing != "" {
		return missing
	}
	if s.table != nil {
		return r.addRows(out, s, names)
	}
	if w := r.want; len(names) == 1 && len(w.phrases) == 1 && w.scope == "" && w.row == "" && isPlural(names[0]) && r.value(names[0]).score == 0 {
		if s, ok := r.rowsCalled(names[0], nil); ok { // the orders, though "Order" may be one of their columns
			return r.addRows(out, s, nil)
		}
	}
	switch all := r.tablesWith(names); {
	case len(all) == 1:
		return r.addRows(out, subject{table: all[0]}, names)
	case len(all) > 1:
		return fmt.Sprintf("several tables have %q: %s; it is not said which is meant", names, namesOf(all))
	}
	for _, name := range names {
		if missing := r.addOne(out, name); missing != "" {
			return missing
		}
	}
	return ""
}

// addRows adds the columns that are asked for, of one row or of all.
func (r reading) addRows(out *object, s subject, names []string) (missing string) {
	if s.row == nil && r.data.Incomplete {
		return tooLong
	}
	columns, _ := r.columnsOf(s.table, names)
	t := *s.table
	if s.row != nil {
		t.Rows = [][]pagedata.Cell{s.row}
	}
	rows := rowsOf(t, columns)
	if len(rows) != 1 || s.row == nil && len(names) == 0 {
		out.set("rows", rows)
		return ""
	}
	for _, m := range rows[0] {
		out.set(m.name, m.value)
	}
	return ""
}

// tablesWith are the tables that have all of the names as columns, unless the
// page has labelled values of those names.
func (r reading) tablesWith(names []string) []*pagedata.Table {
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return r.value(n).score > 0 }) {
		return nil
	}
	return r.tables(func(t *pagedata.Table) bool {
		_, ok := r.columnsOf(t, names)
		return ok && (t.Part == "" || r.want.scope == "" && r.want.row == "" && t.Part != pagedata.Related)
	})
}

// addOne adds what is called by one name: a labelled value, a table, or a row
// ("the second order").
func (r reading) addOne(out *object, name string) (missing string) {
	c := r.value(name)
	if c.found() {
		out.set(name, c.cell.Text)
		return ""
	}
	if c.several {
		return fmt.Sprintf("the page shows several values that are called %q; it is not said which is meant", name)
	}
	s, missing := r.inWords(name, nil)
	switch {
	case strings.Contains(missing, "not said which"), strings.Contains(missing, "there is no row"), strings.Contains(missing, "no row of"):
		return missing
	case s.table == nil:
		return fmt.Sprintf("the page shows nothing that is called %q%s", name, r.nearLabels(name))
	case s.row != nil:
		return r.addRows(out, s, nil)
	case r.data.Incomplete:
		return tooLong
	}
	out.set(strings.ToLower(name), rowsOf(*s.table, nil))
	return ""
}

// column is a column of a table under the name that the task has for it.
type column struct {
	name string
	at   int // -1 for the link of the row
	// asked says that the task has the name, not the page.
	asked bool
}

func (c column) text(row []pagedata.Cell) string {
	at := c.at
	if at < 0 {
		at = onlyLink(row)
	}
	switch {
	case at < 0:
		return ""
	case c.asked && row[at].URL != "" && slices.Equal(senses(c.name), []string{"url"}):
		return row[at].URL
	}
	return row[at].Text
}

// columnsOf finds all of the names among the columns of a table.
func (r reading) columnsOf(t *pagedata.Table, names []string) (columns []column, ok bool) {
	for _, name := range names {
		all := r.choices(rowFacts(t, t.Rows[0]), []string{name})
		if len(all) == 0 || all[0].several || all[0].rank == bareCell && all[0].label != "link" {
			return nil, false
		}
		c := column{name, all[0].at, true}
		if all[0].rank == bareCell {
			c.at = -1
		}
		columns = append(columns, c)
	}
	return columns, true
}

// rowsOf makes an object of each row, of the chosen columns or of all.
func rowsOf(t pagedata.Table, columns []column) []object {
	if columns == nil {
		columns = allColumns(t)
	}
	rows := make([]object, 0, len(t.Rows))
	for _, row := range t.Rows {
		var o object
		for _, c := range columns {
			o = append(o, member{c.name, c.text(row)})
		}
		rows = append(rows, o)
	}
	return rows
}

// allColumns are the columns under the names they have; a name that is empty
// or has been there before gets a number.
func allColumns(t pagedata.Table) (columns []column) {
	for i, name := range t.Columns {
		if name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		if slices.Contains(t.Columns[:i], name) {
			name = fmt.Sprintf("%s (column %d)", name, i+1)
		}
		columns = append(columns, column{name: name, at: i})
	}
	return columns
}

// nearLabels says what there is instead.
func (r reading) nearLabels(name string) string {
	var all []string
	for _, v := range r.data.Values {
		all = append(all, v.Label)
	}
	for _, t := range r.data.Tables {
		all = append(append(all, t.Name), t.Columns...)
	}
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(alike(b, name), alike(a, name)) })
	if all = slices.Compact(all); len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("; it shows %q", all[:min(len(all), shownNames)])
}
