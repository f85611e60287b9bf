package plain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/pagedata"
)

// unshaped makes an object of what the task names, where no schema says under
// which names.
func (m *machine) unshaped(schema json.RawMessage) (all []json.RawMessage, missing string) {
	var out object
	for i, r := range m.wanted() {
		part, missing := r.object()
		if missing != "" {
			return nil, fmt.Sprintf("%s (in %q)", missing, shorten(m.sentenceOf(i), 100))
		}
		for _, p := range part {
			out.add(p.name, p.value)
		}
	}
	if len(schema) > 0 {
		out = out.as(shapeOf(schema, schema).additional, schema)
	}
	if out == nil {
		return nil, ""
	}
	return []json.RawMessage{encode(out)}, ""
}

// as makes of the texts in an object what a schema wants of each; those that
// are nothing like it are left out.
func (o object) as(schema, root json.RawMessage) (out object) {
	if schema == nil {
		return o
	}
	s := shapeOf(schema, root)
	for _, m := range o {
		text, ok := m.value.(string)
		if !ok {
			if s.untyped || !s.is("string") && !s.is("number") && !s.is("integer") && !s.is("boolean") {
				out.set(m.name, m.value)
			}
			continue
		}
		if v, ok := coerce(pagedata.Cell{Text: text}, s, ""); ok {
			out.set(m.name, v)
		}
	}
	return out
}

// wanted are the readings that are to be returned: all of "return", or the last
// one where the task says only "read".
func (m *machine) wanted() []reading {
	var out []reading
	i := 0
	for _, s := range m.steps {
		if s.verb == returnVerb && i < len(m.reads) {
			out = append(out, m.reads[i])
		}
		if s.verb == returnVerb || s.verb == readVerb {
			i++
		}
	}
	if out == nil && len(m.reads) > 0 {
		out = m.reads[len(m.reads)-1:]
	}
	return out
}

func (m *machine) sentenceOf(i int) string {
	for _, s := range m.steps {
		if s.verb == returnVerb {
			if i == 0 {
				return s.sentence
			}
			i--
		}
	}
	return m.steps[len(m.steps)-1].sentence
}

// object is a JSON object that keeps its order.
type object []member

type member struct {
	name  string
	value any
}

func (o *object) set(name string, value any) {
	for i := range *o {
		if (*o)[i].name == name {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{name, value})
}

// add keeps values of the same name beside each other.
func (o *object) add(name string, value any) {
	for i := range *o {
		if m := &(*o)[i]; m.name == name {
			if list, ok := m.value.([]any); ok {
				m.value = append(list, value)
			} else if s, ok := value.(string); !ok || m.value != any(s) {
				m.value = []any{m.value, value}
			}
			return
		}
	}
	*o = append(*o, member{name, value})
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(m.name))
		b.WriteByte(':')
		b.Write(encode(m.value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(b.Bytes())
}

// object returns what the reading's step wants to know.
func (r reading) object() (out object, missing string) {
	w := r.want
	switch {
	case (w.all || w.empty()) && r.data.Incomplete:
		return nil, tooLong
	case w.all || w.empty():
		return r.everything(), ""
	}
	if missing := r.addOwn(&out); missing != "" {
		return nil, missing
	}
	names := w.names()
	if len(names) > 0 || w.row != "" || w.scope != "" {
		missing = r.addNamed(&out, names)
	}
	return out, missing
}

// addOwn adds what has a name of its own on every page.
func (r reading) addOwn(out *object) (missing string) {
	w := r.want
	if w.title {
		out.set("title", r.data.Title)
	}
	if w.url {
		out.set("url", r.data.URL)
	}
	if w.heading {
		h, missing := r.mainHeading()
		if missing != "" {
			return missing
		}
		out.set("heading", h)
	}
	if w.text {
		out.set("text", r.text)
	}
	if w.table && w.scope == "" && w.row == "" {
		s, missing := r.theTable("", nil)
		if missing != "" {
			return missing
		}
		return r.addRows(out, s, nil)
	}
	return ""
}

// tooLong is why not all rows of a table can be returned.
const tooLong = "the page is too long to be read to its end"

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
		if len(all) == 1 && !t.List {
			name = "rows"
		}
		if t.List && len(t.Columns) == 1 {
			out.add(name, columnTexts(t, 0))
			continue
		}
		out.add(name, rowsOf(*t, nil))
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
		if c := r.valueIn(nil, names[0]+" of "+r.want.scope); c.found {
			out.set(names[0]+" of "+r.want.scope, c.cell.Text)
			return ""
		}
	}
	fits := func(t *pagedata.Table) bool { _, ok := r.columnsOf(t, names); return ok }
	s, missing := r.subject(fits)
	switch {
	case missing != "":
		return missing
	case s.table != nil:
		return r.addRows(out, s, names)
	}
	if t := r.inPlural(names); t != nil {
		return r.addRows(out, subject{table: t}, nil)
	}
	if t, found, missing := r.tableWith(names); found {
		if missing != "" {
			return missing
		}
		return r.addRows(out, subject{table: t}, names)
	}
	for _, name := range names {
		if why := r.addOne(out, name); why != "" {
			return why
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
	if len(rows) == 1 && (s.row != nil || len(names) > 0) {
		for _, m := range rows[0] {
			out.set(m.name, m.value)
		}
		return ""
	}
	out.set("rows", rows)
	return ""
}

// tableWith finds the one table that has all of the names as columns, unless
// the page has labelled values of those names.
func (r reading) tableWith(names []string) (t *pagedata.Table, found bool, missing string) {
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { c := r.value(n); return c.found || c.several }) {
		return nil, false, ""
	}
	all := r.tables(func(t *pagedata.Table) bool {
		_, ok := r.columnsOf(t, names)
		return ok && (t.Part == "" || r.want.scope == "" && r.want.row == "" && t.Part != pagedata.Related)
	})
	switch len(all) {
	case 0:
		return nil, false, ""
	case 1:
		return all[0], true, ""
	}
	return nil, true, fmt.Sprintf("several tables have %q: %s; it is not said which is meant", names, namesOf(all))
}

// addOne adds what is called by one name: a labelled value, a table, or a row
// ("the second order").
func (r reading) addOne(out *object, name string) (missing string) {
	switch c := r.value(name); {
	case c.found:
		out.set(name, c.cell.Text)
		return ""
	case c.several:
		return fmt.Sprintf("the page shows several values that are called %q; it is not said which is meant", name)
	}
	s, missing := r.inWords(name, nil)
	switch {
	case missing != "" || s.table == nil:
		if strings.Contains(missing, "not said which") || strings.Contains(missing, "there is no row") || strings.Contains(missing, "no row of") {
			return missing
		}
		return fmt.Sprintf("the page shows nothing that is called %q%s", name, r.nearLabels(name))
	case s.row != nil:
		return r.addRows(out, s, nil)
	}
	if r.data.Incomplete {
		return tooLong
	}
	out.set(strings.ToLower(name), rowsOf(*s.table, nil))
	return ""
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
			o = append(o, member{c.name, c.textOf(row[c.at])})
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

// textOf is what a cell says: its address where one is asked for.
func (c column) textOf(cell pagedata.Cell) string {
	if c.asked && slices.Equal(senses(c.name), []string{"url"}) && cell.URL != "" {
		return cell.URL
	}
	return cell.Text
}

// nearLabels says what there is instead.
func (r reading) nearLabels(name string) string {
	var all []string
	for _, v := range r.data.Values {
		all = append(all, v.Label)
	}
	for _, t := range r.data.Tables {
		all = append(all, t.Name)
		all = append(all, t.Columns...)
	}
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(alike(b, name), alike(a, name)) })
	all = slices.Compact(all)
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("; it shows %q", all[:min(len(all), shownNames)])
}
