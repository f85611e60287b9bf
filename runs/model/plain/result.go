package plain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/internal/schema"
)

// unshaped makes an object of what the task names, where no schema says under
// which names; each is of a schema, if that is given.
func (m *machine) unshaped(each *schema.Outline) (result json.RawMessage, missing string) {
	var out object
	reads, sentences := m.wanted()
	for i, r := range reads {
		part, missing := r.object()
		if missing != "" {
			return nil, fmt.Sprintf("%s (in %q)", missing, excerpt(sentences[i], 100))
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
		if _, missing := r.mainHeading(); w.has(own) && own == "heading" && missing != "" {
			return nil, missing
		} else if w.has(own) {
			out.set(own, r.own(own))
		}
	}
	if w.table && w.scope == "" && w.row == "" {
		s, missing := r.theTable("", nil)
		if missing = cmp.Or(missing, r.addRows(&out, s, nil)); missing != "" {
			return nil, missing
		}
	}
	if names := w.names; len(names) > 0 || w.row != "" || w.scope != "" {
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
	all := r.tables()
	for i, t := range all {
		name := cmp.Or(t.Name, fmt.Sprintf("table %d", i+1))
		switch {
		case t.List && len(t.Columns) == 1:
			out.add(name, columnTexts(t, 0))
		case len(all) == 1 && !t.List:
			out.add("rows", r.rowsOf(t, t.Rows, nil))
		default:
			out.add(name, r.rowsOf(t, t.Rows, nil))
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
	w := r.want
	if whole := strings.Join(names, "") + " of " + w.scope; len(names) == 1 && w.scope != "" { // date of birth
		if c := r.apart().choose(whole); c.found() {
			out.set(whole, c.cell.Text)
			return ""
		}
	}
	s, missing := r.subject(func(t *pagedata.Table) bool { return r.hasAll(t, names) })
	if missing != "" || s.table != nil {
		return cmp.Or(missing, r.addRows(out, s, names))
	}
	isNamed := slices.ContainsFunc(names, func(n string) bool { return r.choose(n).score > 0 })
	if len(names) == 1 && !w.quoted && w.scope == "" && w.row == "" && isPlural(names[0]) && !isNamed {
		if s, ok := r.rowsCalled(names[0], nil); ok { // the orders, though "Order" may be one of their columns
			return r.addRows(out, s, nil)
		}
	}
	all := r.tables(func(t *pagedata.Table) bool {
		return !isNamed && r.hasAll(t, names) && (t.Part == "" || w.scope == "" && w.row == "" && t.Part != pagedata.Related)
	})
	switch {
	case len(names) == 0 || len(all) == 0:
	case len(all) == 1:
		return r.addRows(out, subject{table: all[0]}, names)
	default:
		return fmt.Sprintf("several tables have %q: %s; it is not said which is meant", names, namesOf(all))
	}
	for _, name := range names {
		if missing := r.addOne(out, name); missing != "" {
			return missing
		}
	}
	return ""
}

// hasAll reports whether a table has columns of all the names, or a link in each row for an
// address.
func (r reading) hasAll(t *pagedata.Table, names []string) bool {
	r = r.in(t, t.Rows[0])
	return !slices.ContainsFunc(names, func(n string) bool { return !r.choose(n).found() })
}

// addRows adds what is called by the names, or else all, of one row or of all.
func (r reading) addRows(out *object, s subject, names []string) (missing string) {
	rows := [][]pagedata.Cell{s.row}
	switch {
	case s.table == nil:
		return ""
	case s.row == nil && r.data.Incomplete:
		return tooLong
	case s.row == nil:
		rows = s.table.Rows
	}
	all := r.rowsOf(s.table, rows, names)
	if len(all) != 1 || s.row == nil && len(names) == 0 {
		out.set("rows", all)
		return ""
	}
	for _, m := range all[0] {
		out.set(m.name, m.value)
	}
	return ""
}

// addOne adds what is called by one name: a labelled value, a table, or a row
// ("the second order").
func (r reading) addOne(out *object, name string) (missing string) {
	switch c := r.choose(name); {
	case c.several:
		return fmt.Sprintf("the page shows several values that are called %q; it is not said which is meant", name)
	case c.found():
		out.set(name, c.cell.Text)
		return ""
	}
	s, missing := r.inWords(name, nil)
	switch {
	case strings.Contains(missing, "not said which"), strings.Contains(missing, "there is no row"):
		return missing
	case s.table == nil:
		return fmt.Sprintf("the page shows nothing that is called %q%s", name, r.nearLabels(name))
	case s.row != nil:
		return r.addRows(out, s, nil)
	case r.data.Incomplete:
		return tooLong
	}
	out.set(strings.ToLower(name), r.rowsOf(s.table, s.table.Rows, nil))
	return ""
}

// rowsOf makes an object of each row: of what is called by the names, or of all
// columns. A column that has no name, or one that has been there before, gets a
// number.
func (r reading) rowsOf(t *pagedata.Table, rows [][]pagedata.Cell, names []string) []object {
	all := make([]object, 0, len(rows))
	for _, row := range rows {
		var o object
		r := r.in(t, row)
		for _, name := range names {
			text := ""
			if c := r.choose(name); c.found() {
				if text = c.cell.Text; c.cell.URL != "" && slices.Equal(senses(name), []string{"url"}) {
					text = c.cell.URL
				}
			}
			o = append(o, member{name, text})
		}
		for i, name := range t.Columns {
			if len(names) > 0 {
				break
			}
			if name == "" {
				name = fmt.Sprintf("column %d", i+1)
			}
			if slices.Contains(t.Columns[:i], name) {
				name = fmt.Sprintf("%s (column %d)", name, i+1)
			}
			o = append(o, member{name, row[i].Text})
		}
		all = append(all, o)
	}
	return all
}

// labels are those of values, tables and columns.
func (r reading) labels() (all []string) {
	for _, v := range r.data.Values {
		all = append(all, v.Label)
	}
	for _, t := range r.data.Tables {
		all = append(append(all, t.Name), t.Columns...)
	}
	return all
}

// nearLabels says what there is instead.
func (r reading) nearLabels(name string) string {
	all := slices.DeleteFunc(r.labels(), func(s string) bool { return s == "" })
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(alike(b, name), alike(a, name)) })
	if all = slices.Compact(all); len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("; it shows %q", all[:min(len(all), shownNames)])
}
