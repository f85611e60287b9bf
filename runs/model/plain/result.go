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

// unshaped makes an object of what the task names, where no schema says how.
func (m *machine) unshaped() (all []json.RawMessage, missing string) {
	var out object
	for i, r := range m.wanted() {
		part, missing := r.object()
		if missing != "" {
			return nil, fmt.Sprintf("%s (in %q)", missing, shorten(m.sentenceOf(i), 100))
		}
		for _, p := range part {
			out.set(p.name, p.value)
		}
	}
	if out == nil {
		return nil, ""
	}
	return []json.RawMessage{encode(out)}, ""
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
	if w.empty() {
		return r.everything(), ""
	}
	if w.title {
		out.set("title", r.data.Title)
	}
	if w.url {
		out.set("url", r.data.URL)
	}
	if w.heading {
		out.set("heading", r.mainHeading())
	}
	if w.text {
		out.set("text", r.text)
	}
	if w.table {
		t, ok := r.table("")
		if !ok {
			return nil, "the page has no table"
		}
		out.set("rows", rowsOf(t, nil))
	}
	missing = r.addNamed(&out)
	return out, missing
}

// everything is the answer to a bare "return": the labelled values, or else
// the table, or else the title.
func (r reading) everything() (out object) {
	for _, v := range r.data.Values {
		if !v.Weak {
			out.set(v.Label, v.Value.Text)
		}
	}
	if t, ok := r.table(""); ok && !t.List {
		out.set("rows", rowsOf(t, nil))
	}
	if out == nil {
		out.set("title", r.data.Title)
		out.set("url", r.data.URL)
	}
	return out
}

func (r reading) mainHeading() string {
	for _, h := range r.data.Headings {
		if h.Level == 1 {
			return h.Text
		}
	}
	if len(r.data.Headings) > 0 {
		return r.data.Headings[0].Text
	}
	return r.data.Title
}

// addNamed adds what the task names by label or phrase.
func (r reading) addNamed(out *object) (missing string) {
	names := append(slices.Clone(r.want.labels), r.want.phrases...)
	if t, columns, ok := r.columns(names); ok {
		rows := rowsOf(t, columns)
		if r.want.row != "" {
			rows = rowsOf(withRow(t, r.want.row), columns)
		}
		switch len(rows) {
		case 0:
			return fmt.Sprintf("no row of the table has %q in it", r.want.row)
		case 1:
			*out = append(*out, rows[0]...)
		default:
			out.set("rows", rows)
		}
		return ""
	}
	if row := r.want.row; row != "" && !r.isAbout(row) {
		return fmt.Sprintf("there is no table with %q and a row %q", names, row)
	}
	for _, name := range names {
		if why := r.addOne(out, name); why != "" {
			return why
		}
	}
	return ""
}

// isAbout reports whether the page itself is about a thing: the price of
// "Kettle" on the page of the kettle.
func (r reading) isAbout(thing string) bool {
	is := func(text string) bool { return isPhraseOf(normal(thing), normal(text)) }
	return is(r.data.Title) || slices.ContainsFunc(r.data.Headings, func(h pagedata.Heading) bool { return is(h.Text) })
}

func (r reading) addOne(out *object, name string) (missing string) {
	if v, ok := r.value(name); ok {
		out.set(name, v.Text)
		return ""
	}
	if t, ok := r.table(name); ok {
		out.set(strings.ToLower(name), rowsOf(t, nil))
		return ""
	}
	if h, ok := r.belowHeading(name); ok {
		out.set(name, h)
		return ""
	}
	return fmt.Sprintf("the page shows nothing that is called %q%s", name, r.nearLabels(name))
}

// belowHeading takes a name that is the text of a heading for its own value.
func (r reading) belowHeading(name string) (string, bool) {
	for _, h := range r.data.Headings {
		if normal(h.Text) == normal(name) {
			return h.Text, true
		}
	}
	return "", false
}

// good is the least similarity of two names that mean the same thing.
const good = 0.6

// value returns the labelled value of a name.
func (r reading) value(name string) (pagedata.Cell, bool) { return bestValue(r.data, name) }

func bestValue(d pagedata.Data, names ...string) (pagedata.Cell, bool) {
	best, score := pagedata.Cell{}, 0.0
	for _, v := range d.Values {
		for _, name := range names {
			s := similarity(name, v.Label)
			if v.Weak {
				s *= 0.95
			}
			if s >= good && s > score {
				best, score = v.Value, s
			}
		}
	}
	return best, score > 0
}

// table returns the table of a name, or for none the largest one.
func (r reading) table(name string) (pagedata.Table, bool) {
	var fitting []pagedata.Table
	for _, t := range r.data.Tables {
		if name == "" || similarity(name, t.Name) >= good {
			fitting = append(fitting, t)
		}
	}
	if name != "" && len(fitting) == 0 && isTableNoun(name) && len(r.data.Tables) == 1 {
		fitting = r.data.Tables
	}
	if len(fitting) == 0 {
		return pagedata.Table{}, false
	}
	return slices.MaxFunc(fitting, func(a, b pagedata.Table) int {
		if a.List != b.List { // a table proper is what is meant
			return map[bool]int{true: -1, false: 1}[a.List]
		}
		return cmp.Compare(len(a.Rows), len(b.Rows))
	}), true
}

// isTableNoun reports whether a phrase is one word in the plural: "products"
// are the rows of the only table, whatever that is called.
func isTableNoun(name string) bool {
	w := strings.Fields(strings.ToLower(name))
	return len(w) == 1 && singular(w[0]) != w[0]
}

// columns finds the table that has all of the names as columns.
func (r reading) columns(names []string) (t pagedata.Table, columns []column, ok bool) {
	if len(names) == 0 {
		return t, nil, false
	}
	for _, t := range r.data.Tables {
		columns = columns[:0]
		for _, name := range names {
			i, score := bestColumn(t, name)
			if score < good || valueScore(r.data, name) > score {
				break
			}
			columns = append(columns, column{name, i})
		}
		if len(columns) == len(names) {
			return t, columns, true
		}
	}
	return t, nil, false
}

// column is a column of a table under the name that the task has for it.
type column struct {
	name string
	at   int
}

func bestColumn(t pagedata.Table, names ...string) (at int, score float64) {
	for i, c := range t.Columns {
		for _, name := range names {
			if s := similarity(name, c); s > score {
				at, score = i, s
			}
		}
	}
	return at, score
}

func valueScore(d pagedata.Data, name string) (score float64) {
	for _, v := range d.Values {
		if !v.Weak {
			score = max(score, similarity(name, v.Label))
		}
	}
	return score
}

// withRow keeps the rows that have a text in them.
func withRow(t pagedata.Table, text string) pagedata.Table {
	exact := func(row []pagedata.Cell) bool {
		return slices.ContainsFunc(row, func(c pagedata.Cell) bool { return normal(c.Text) == normal(text) })
	}
	has := func(row []pagedata.Cell) bool {
		return slices.ContainsFunc(row, func(c pagedata.Cell) bool { return strings.Contains(normal(c.Text), normal(text)) })
	}
	for _, keep := range []func([]pagedata.Cell) bool{exact, has} {
		out := t
		out.Rows = nil
		for _, row := range t.Rows {
			if keep(row) {
				out.Rows = append(out.Rows, row)
			}
		}
		if len(out.Rows) > 0 {
			return out
		}
	}
	t.Rows = nil
	return t
}

// rowsOf makes an object of each row, of the chosen columns or of all.
func rowsOf(t pagedata.Table, columns []column) []object {
	if columns == nil {
		for i, name := range t.Columns {
			columns = append(columns, column{cmp.Or(name, fmt.Sprintf("column %d", i+1)), i})
		}
	}
	rows := make([]object, 0, len(t.Rows))
	for _, row := range t.Rows {
		var o object
		for _, c := range columns {
			o.set(c.name, row[c.at].Text)
		}
		rows = append(rows, o)
	}
	return rows
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
