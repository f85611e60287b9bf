package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	vocabulary "github.com/drover-go/drover/internal/names"
)

// maxAuthors is how many authors a page has at most, and maxName how long in
// bytes the name of one is: a longer one is no name.
const (
	maxAuthors = 50
	maxName    = 200
)

// authors returns the names that the first of those says who says any. The name
// of the site is that of an author only where nobody else is named.
func (b *belief) authors(main, entry *graph.Entity) []string {
	names := b.namedAuthors(main, entry)
	if key := b.siteKey; len(names) == 0 && key != "" {
		b.siteKey = ""
		names = b.namedAuthors(main, entry)
		b.siteKey = key
	}
	return names
}

func (b *belief) namedAuthors(main, entry *graph.Entity) []string {
	said := [][]graph.Value{main.Get("author")}
	for _, name := range words()["authorMeta"] {
		said = append(said, b.meta.Get(name))
	}
	said = append(said, main.Get("creator"), b.webPage.Get("author"), entry.Get("author"))
	shown := [][]string{append([]string{b.head.props["author"]}, b.head.authors...), b.cardAuthors(), b.openingAuthors()}
	if b.head.headings == 0 {
		shown = append(shown, b.head.second.authors)
	}
	for _, name := range b.head.bylines {
		if !people.MayBe(name) {
			if strings.ContainsAny(name, " /") {
				continue // a name with its date
			}
			break // a name of a user: the others answer whoever it is
		}
		shown = append(shown, []string{name})
	}
	for _, name := range b.head.opening.writers {
		shown = append(shown, []string{name})
	}
	for _, values := range said {
		var texts []string
		for _, v := range values {
			b.page.Meter.Step(1)
			texts = append(texts, namesOf(v)...)
		}
		if names := b.names(texts); len(names) > 0 {
			return names
		}
	}
	for _, texts := range shown {
		if names := b.names(texts); len(names) > 0 {
			return names
		}
	}
	return nil
}

// cardAuthors returns who wrote the page as its card for others has it: in words,
// not by a name of its own.
func (b *belief) cardAuthors() (all []string) {
	for _, n := range [...]string{"1", "2"} {
		if isBy(b.text(b.meta, "twitter:label"+n)) {
			all = append(all, b.text(b.meta, "twitter:data"+n))
		}
	}
	return all
}

// openingAuthors returns who is named behind the heading. On a page that sells
// its thing, one word behind "by" is who makes it.
func (b *belief) openingAuthors() []string {
	names := b.head.opening.authors
	if b.head.buys && len(names) == 1 && !people.IsFull(names[0]) {
		return nil
	}
	return names
}

// names returns the names in texts, without "by" before them. What a program calls
// its user is no name, nor is that of the site itself, or an address.
func (b *belief) names(texts []string) (names []string) {
	for _, text := range texts {
		text = vocabulary.WithoutBy(page.Collapse(text))
		if len(text) > maxName || page.IsAddress(text) {
			continue
		}
		if strings.Contains(text, "@") {
			text = strings.Trim(mail().ReplaceAllString(text, ""), " ()<>")
		}
		for _, name := range people.Split(text) {
			if name != "" && len(names) < maxAuthors && !isNobody(name) && (b.siteKey == "" || mention.Key(name) != b.siteKey) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

var (
	mail        = lexicon.Pattern(`\S*@\S*`)
	addressLike = lexicon.Pattern(`^(?:https?:)?(?://)?(?:www\.\S+|(?:[a-z0-9-]+\.)+[a-z]{2,12}/\S*)$`)
)

// isNobody reports whether a name is the one that a program gives who writes, or
// no name at all.
func isNobody(name string) bool {
	return isOf("nobody", mention.Key(name)) || addressLike().MatchString(name)
}

// namesOf returns the names that a value has: its text, or those of a thing.
func namesOf(v graph.Value) (names []string) {
	if v.Entity == nil {
		if v.Kind == graph.Text {
			names = []string{v.Text}
		}
		return names
	}
	for _, name := range v.Entity.Get("name") {
		names = append(names, name.Text)
	}
	if given, family := v.Entity.Get("givenName"), v.Entity.Get("familyName"); len(names) == 0 && len(given) > 0 && len(family) > 0 {
		names = []string{given[0].Text + " " + family[0].Text}
	}
	return names
}

// nameOf returns the first name of values, or "".
func nameOf(values []graph.Value) string {
	for _, v := range values {
		for _, name := range namesOf(v) {
			if name != "" {
				return name
			}
		}
	}
	return ""
}

// isBy reports whether a text is "by", or another label of a name.
func isBy(text string) bool { return isOf("by", strings.ToLower(strings.TrimRight(text, ": "))) }

// bylinePeople returns the names behind "by" in a text, or none.
func bylinePeople(text string) []string {
	rest := vocabulary.WithoutBy(text)
	if rest == text {
		return nil
	}
	names := people.Split(cutMarks(rest))
	if len(names) == 1 {
		names[0], _, _ = strings.Cut(names[0], ", ")
	}
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
	return len(s) <= maxByline && people.MayBe(s) && strings.Count(s, " ") < 5 && unicode.IsLetter(c) && !unicode.IsLower(c) && !strings.HasSuffix(s, ".") && !isNobody(s)
}
