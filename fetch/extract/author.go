package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// maxAuthors is how many authors a page has at most.
const maxAuthors = 50

// authors returns the names that the first of those says who says any. The name
// of the site is that of an author only where nobody else is named.
func (b *belief) authors() []graph.Value {
	site := mention.Key(b.site.Text)
	names := b.authorsBut(site)
	if len(names) == 0 && site != "" {
		names = b.authorsBut("")
	}
	return names
}

func (b *belief) authorsBut(site string) []graph.Value {
	for values := range b.said("author") {
		if names := b.names(values, site); len(names) > 0 {
			return names
		}
	}
	for values := range b.said("oneAuthor") {
		for i := range values {
			if names := b.names(values[i:i+1], site); len(names) > 0 {
				return names
			}
		}
	}
	return nil
}

// names returns the names in values that are not the site's, each once.
func (b *belief) names(values []graph.Value, site string) (names []graph.Value) {
	for _, v := range people.Declared(values, true) {
		b.page.Meter.Step(1)
		for _, name := range namesOf(v) {
			isSite := site != "" && mention.Key(name) == site
			known := slices.ContainsFunc(names, func(v graph.Value) bool { return v.Text == name })
			if name != "" && len(names) < maxAuthors && !isSite && !known {
				names = append(names, saying(v, name))
			}
		}
	}
	return names
}

// namesOf returns the names that a value has: its text, or those of a thing.
func namesOf(v graph.Value) (names []string) {
	if v.Entity == nil {
		return []string{v.Text}
	}
	for _, name := range v.Entity.Get("name") {
		names = append(names, name.Text)
	}
	return names
}

// isBy reports whether a text is "by", or another label of a name.
func isBy(text string) bool { return isOf("by", strings.ToLower(strings.TrimRight(text, ": "))) }

// bylinePeople returns the names behind "by" in a text, or none.
func bylinePeople(text string) []string {
	names, _ := people.Byline(text)
	for _, name := range names {
		if !isPersonal(name) {
			return nil
		}
	}
	return names
}

// cutMarks cuts what stands behind names in their line, but for the commas
// between these.
func cutMarks(s string) string {
	return strings.Trim(behindNames().ReplaceAllString(s, ""), " ,|·•–—-")
}

var behindNames = lexicon.Pattern(` (?:[|·•–—/-]|on|am) .*$`)

// isPersonal reports whether a text is like a name: a few words, the first in a
// capital letter, none of them a number.
func isPersonal(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return len(s) <= maxByline && people.MayBe(s) && strings.Count(s, " ") < 5 && unicode.IsLetter(c) && !unicode.IsLower(c) && !strings.HasSuffix(s, ".") && !people.IsNobody(s)
}
