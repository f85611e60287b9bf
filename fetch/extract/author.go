package extract

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	vocabulary "github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// maxAuthors is how many authors a page has at most, and maxName how long in
// bytes the name of one is: a longer one is no name.
const (
	maxAuthors = 50
	maxName    = 200
)

// authors returns the names that the first of those says who says any.
func (b *belief) authors(main, entry *entity) []string {
	for _, values := range [][]graph.Value{
		main.values("author"), b.meta.values("citation_author"), b.meta.values("author"), b.meta.values("article:author"),
		b.meta.values("dc.creator"), b.meta.values("dcterms.creator"), b.meta.values("parsely-author"), b.meta.values("sailthru.author"), b.meta.values("byl"),
		main.values("creator"), b.webPage.values("author"), entry.values("author"),
	} {
		if names := b.names(values); len(names) > 0 {
			return names
		}
	}
	names := appendName(nil, b.head.props["author"])
	for _, name := range b.head.authors {
		names = appendName(names, name)
	}
	if len(names) == 0 {
		names = appendName(names, b.head.opening.author)
	}
	if len(names) == 0 && b.head.headings == 0 {
		names = appendName(names, b.head.second.author)
	}
	for _, name := range b.head.bylines {
		if len(names) == 0 {
			names = appendName(names, name)
		}
	}
	return names
}

// names returns the names of people: texts, or the names of things. An address
// is no name.
func (b *belief) names(values []graph.Value) (names []string) {
	for _, v := range values {
		b.page.Meter.Step(1)
		switch {
		case v.Entity != nil:
			names = appendName(names, nameOf([]graph.Value{v}))
		case v.Kind == graph.Text:
			names = appendName(names, v.Text)
		}
	}
	return names
}

// appendName appends a name that is one, without "by" before it.
func appendName(names []string, name string) []string {
	name = vocabulary.WithoutBy(page.Collapse(name))
	if name == "" || len(name) > maxName || len(names) == maxAuthors || page.IsAddress(name) || slices.Contains(names, name) {
		return names
	}
	return append(names, name)
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
