package extract

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/people"
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
func (b *belief) authors(main, entry *entity) []string {
	if names := b.namedAuthors(main, entry); len(names) > 0 || b.siteKey == "" {
		return names
	}
	key := b.siteKey
	b.siteKey = ""
	defer func() { b.siteKey = key }()
	return b.namedAuthors(main, entry)
}

func (b *belief) namedAuthors(main, entry *entity) []string {
	for _, values := range [][]graph.Value{
		main.values("author"), b.meta.values("citation_author"), b.meta.values("author"), b.meta.values("article:author"),
		b.meta.values("dc.creator"), b.meta.values("dcterms.creator"), b.meta.values("parsely-author"), b.meta.values("sailthru.author"), b.meta.values("byl"),
		main.values("creator"), b.webPage.values("author"), entry.values("author"),
	} {
		if names := b.names(values); len(names) > 0 {
			return names
		}
	}
	shown := [][]string{append([]string{b.head.props["author"]}, b.head.authors...), {b.cardAuthor()}, b.openingAuthors()}
	if b.head.headings == 0 {
		shown = append(shown, b.head.second.authors)
	}
	for _, name := range b.head.bylines {
		shown = append(shown, []string{name})
	}
	for _, texts := range append(shown, b.head.opening.writers) {
		var names []string
		for _, text := range texts {
			names = b.appendNames(names, text)
		}
		if len(names) > 0 {
			return names
		}
	}
	return nil
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

// cardAuthor returns who wrote something as templates tell it to those who show
// a card of the page: in words, and not by a name of its own.
func (b *belief) cardAuthor() string {
	for _, n := range [...]string{"1", "2"} {
		label := strings.ToLower(b.text(b.meta, "twitter:label"+n))
		if onlyBy[strings.TrimRight(label, ": ")] || label == "geschrieben von" || label == "écrit par" || label == "escrito por" || label == "scritto da" || label == "geschreven door" {
			return b.text(b.meta, "twitter:data"+n)
		}
	}
	return ""
}

// names returns the names of people: texts, or the names of things. An address
// is no name.
func (b *belief) names(values []graph.Value) (names []string) {
	for _, v := range values {
		b.page.Meter.Step(1)
		switch {
		case v.Entity != nil:
			all := v.Entity.Get("name")
			if len(all) < 2 {
				names = b.appendNames(names, nameOf([]graph.Value{v}))
				continue
			}
			for _, name := range all[:min(len(all), maxAuthors)] {
				names = b.appendNames(names, name.Text)
			}
		case v.Kind == graph.Text:
			names = b.appendNames(names, v.Text)
		}
	}
	return names
}

// appendNames appends the names in a text, without "by" before them. What a
// program calls its user is no name, nor is that of the site itself.
func (b *belief) appendNames(names []string, text string) []string {
	text = vocabulary.WithoutBy(page.Collapse(text))
	if text == "" || len(text) > maxName || page.IsAddress(text) {
		return names
	}
	for _, name := range people.Split(withoutMail(text)) {
		if name != "" && len(names) < maxAuthors && !isNobody(name) && !b.isSite(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// isSite reports whether a name is that of the site.
func (b *belief) isSite(name string) bool {
	key := mention.Key(name)
	return key != "" && key == b.siteKey
}

// nameOf returns the name of the first thing that has one, or the first text.
func nameOf(values []graph.Value) string {
	for _, v := range values {
		if v.Entity == nil {
			if v.Kind == graph.Text && v.Text != "" {
				return v.Text
			}
			continue
		}
		for _, inner := range v.Entity.Get("name") {
			if inner.Text != "" {
				return inner.Text
			}
		}
		if given, family := v.Entity.Get("givenName"), v.Entity.Get("familyName"); len(given) > 0 && len(family) > 0 {
			return strings.TrimSpace(given[0].Text + " " + family[0].Text)
		}
	}
	return ""
}
