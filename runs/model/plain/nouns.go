package plain

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/runs/internal/pagedata"
)

// generic are nouns that may stand for whatever a page is about.
var generic = sync.OnceValue(func() map[string]bool {
	return senseSet(append(append(append([]string{
		"details", "data", "information", "info", "order", "article", "object", "thing", "listing", "offer", "page", "result", "schema", "content", "shown", "overview", "value",
	}, rowNouns...), tableWords...), append(whole, harmless...)...))
})

func senseSet(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		for _, w := range stems(n) {
			set[w] = true
		}
		for _, w := range senses(n) {
			set[w] = true
		}
	}
	return set
}

// specific is what a noun says beside the generic.
func specific(noun string) []string {
	isGeneric := func(w string) bool { return generic()[w] }
	if len(slices.DeleteFunc(stems(noun), isGeneric)) == 0 {
		return nil
	}
	return slices.DeleteFunc(senses(noun), isGeneric)
}

// unrelated says which of the things that the task asks for is neither what
// the schema nor what the page is about. A schema fits many pages: that it can be
// filled from this one does not make of a kettle the toaster that was asked for.
func (m *machine) unrelated(schema json.RawMessage) (why string) {
	names := propertyNames(schema, schema, 0)
	for _, r := range m.reads {
		for _, noun := range r.want.forSchema(shapeOf(schema, schema)).names() {
			if why := r.unrelated(noun, names); why != "" {
				return why
			}
		}
	}
	return ""
}

func (r reading) unrelated(noun string, properties []string) (why string) {
	asked := specific(noun)
	if len(asked) == 0 {
		return ""
	}
	own := append(slices.Clone(properties), r.mainHeadings()...)
	for _, t := range r.data.Tables {
		own = append(append(own, t.Name), t.Columns...)
	}
	for _, v := range r.data.Values {
		own = append(own, v.Label)
	}
	if isIn(asked, own) {
		return ""
	}
	for _, h := range r.data.Headings {
		if isIn(asked, []string{h.Text}) {
			return fmt.Sprintf("the page has %q only as a part: it is not certain what belongs to it", noun)
		}
	}
	if isIn(asked, append(own, r.data.Title, pathOf(r.data.URL))) {
		return ""
	}
	return fmt.Sprintf("the page is not about %q: neither its headings, title and tables nor the schema have it", noun)
}

// isIn reports whether each of the words is in one of the texts.
func isIn(asked []string, texts []string) bool {
	var all []string
	for _, text := range texts {
		all = append(append(all, senses(text)...), stems(text)...)
	}
	return !slices.ContainsFunc(asked, func(w string) bool { return !slices.Contains(all, w) })
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path + " " + u.RawQuery
}

// propertyNames are the names that a schema has for its values, at every level.
func propertyNames(raw, root json.RawMessage, depth int) (names []string) {
	if depth > maxDepth || len(raw) == 0 {
		return nil
	}
	s := shapeOf(raw, root)
	if s.title != "" {
		names = append(names, s.title)
	}
	for _, p := range s.props {
		names = append(names, shapeOf(p.schema, root).names(p.name)...)
		names = append(names, propertyNames(p.schema, root, depth+1)...)
	}
	for _, inner := range append(slices.Clone(s.choices), s.items) {
		names = append(names, propertyNames(inner, root, depth+1)...)
	}
	return names
}

// inPlural is the table that one noun in the plural means: "the orders" are the
// rows, though "Order" may be one of their columns.
func (r reading) inPlural(names []string) *pagedata.Table {
	if len(names) != 1 || len(r.want.phrases) != 1 || r.want.scope != "" || r.want.row != "" || !isPlural(names[0]) {
		return nil
	}
	if c := r.value(names[0]); c.found || c.several {
		return nil
	}
	all := r.tables(nil)
	called := r.tables(func(t *pagedata.Table) bool { return match(names[0], t.Name, nil) > 0 })
	switch {
	case len(called) == 1:
		return called[0]
	case len(called) == 0 && len(all) == 1 && (r.isAboutAll(names[0]) || isKind(names[0], all[0])):
		return all[0]
	}
	return nil
}

// isAboutAll reports whether the page is about the things of a name in the
// plural: it says so in its heading, title or address.
func (r reading) isAboutAll(noun string) bool {
	asked := specific(noun)
	return isIn(asked, append(r.mainHeadings(), r.data.Title, pathOf(r.data.URL)))
}

// attributes are columns that do not say what kind of thing a row is.
var attributes = sync.OnceValue(func() map[string]bool {
	return senseSet([]string{"name", "id", "number", "date", "sku", "url", "image", "email", "price", "status", "state", "category"})
})

// isKind reports whether a table's first column, which says what a row is, has
// the name.
func isKind(noun string, t *pagedata.Table) bool {
	c := senses(noun)
	return len(c) == 1 && !attributes()[c[0]] && len(t.Columns) > 1 && match(noun, t.Columns[0], nil) > 0
}

// isOwn reports whether a value or table is of what the step asks about. What
// the page shows elsewhere about other things is not; a footer's is only what the
// step calls by its name ("the phone number").
func (r reading) isOwn(part pagedata.Part, names []string) bool {
	if part == "" {
		return true
	}
	named := slices.ContainsFunc(r.want.names(), func(asked string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, asked) || match(asked, n, nil) > 0 })
	})
	return part != pagedata.Related && r.want.scope == "" && r.want.row == "" && named
}
