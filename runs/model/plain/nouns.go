package plain

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/internal/schema"
)

// generic are nouns that may stand for whatever a page is about, attributes are
// columns that do not say what kind of thing a row is.
var (
	generic    = sync.OnceValue(func() []string { return allSenses(lists()["generic"]) })
	attributes = sync.OnceValue(func() []string { return allSenses(lists()["attributes"]) })
)

// allSenses are the words of texts and what they mean.
func allSenses(texts []string) (all []string) {
	for _, text := range texts {
		all = append(append(all, senses(text)...), stems(text)...)
	}
	return all
}

// specific is what a noun says beside the generic.
func specific(noun string) []string {
	isGeneric := func(w string) bool { return slices.Contains(generic(), w) }
	if len(slices.DeleteFunc(stems(noun), isGeneric)) == 0 {
		return nil
	}
	return slices.DeleteFunc(senses(noun), isGeneric)
}

// unrelated says which of the things that the task asks for is neither what
// the schema nor what the page is about. A schema fits many pages: that it can be
// filled from this one does not make of a kettle the toaster that was asked for.
func (m *machine) unrelated(top *schema.Outline) (why string) {
	names := map[*schema.Outline][]string{}
	left := maxNamed
	propertyNames(top, names, &left)
	properties := slices.Concat(slices.Collect(maps.Values(names))...)
	for _, r := range m.reads {
		for _, noun := range r.want.forSchema(shapeOf(top)).names {
			why = cmp.Or(why, r.unrelated(noun, properties))
		}
	}
	return why
}

func (r reading) unrelated(noun string, properties []string) (why string) {
	asked := specific(noun)
	own := slices.Concat(properties, r.mainHeadings(), r.labels())
	switch {
	case isIn(asked, own):
		return ""
	case slices.ContainsFunc(r.data.Headings, func(h pagedata.Heading) bool { return isIn(asked, []string{h.Text}) }):
		return fmt.Sprintf("the page has %q only as a part: it is not certain what belongs to it", noun)
	case isIn(asked, append(own, r.data.Title, pathOf(r.data.URL))):
		return ""
	}
	return fmt.Sprintf("the page is not about %q: neither its headings, title and tables nor the schema have it", noun)
}

// isIn reports whether each of the words is in one of the texts.
func isIn(asked []string, texts []string) bool {
	all := allSenses(texts)
	return !slices.ContainsFunc(asked, func(w string) bool { return !slices.Contains(all, w) })
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path + " " + u.RawQuery
}

// rowsCalled is the table whose rows a noun means: that of the name, or the only
// one for a noun in the plural that the page's heading, title or address has, or the
// table's first column, which says what a row is.
func (r reading) rowsCalled(noun string, fits fitting) (s subject, ok bool) {
	s, missing := r.theTable(noun, fits)
	switch {
	case missing != "":
		return s, false
	case match(noun, s.table.Name, nil) > 0:
		return s, true
	case !isPlural(noun):
		return s, false
	}
	said, columns := senses(noun), s.table.Columns
	isKind := len(said) == 1 && !slices.Contains(attributes(), said[0]) && len(columns) > 1 && match(noun, columns[0], nil) > 0
	return s, isKind || isIn(specific(noun), append(r.mainHeadings(), r.data.Title, pathOf(r.data.URL)))
}

// isOwn reports whether a value or table is of what the step asks about. What
// the page shows elsewhere about other things is not; a footer's is only what the
// step calls by its name ("the phone number").
func (r reading) isOwn(part pagedata.Part, names []string) bool {
	return part == "" || part != pagedata.Related && r.want.scope == "" && r.want.row == "" && slices.ContainsFunc(r.want.names, func(asked string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, asked) || match(asked, n, nil) > 0 })
	})
}
