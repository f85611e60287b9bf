package extract

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// title returns what the page is called: as its only first heading has it, where
// that says what the page says for machines in about the same words, or begins it,
// for those are often cut, or written for the lists of searches.
func (b *belief) title() graph.Value {
	names, said := siteNamesOf(b.site.Text, b.page.URL), b.text("title")
	told, heading := names.without(said.Text), page.Collapse(b.head.heading)
	if told == "" || b.head.headings == 1 && (isTitle(heading) && likeTitles(heading, told) || names.begins(told, heading)) {
		return graph.Value{Text: heading, Source: graph.Document, Element: b.head.first}
	}
	return saying(said, told)
}

// isTitle reports whether a heading is long enough to be more than the name of
// the site or of a part of it, and no longer than a title.
func isTitle(s string) bool { return strings.Count(s, " ") >= 2 && len(s) <= 250 }

// likeTitles reports whether at least half of the words of a title are in
// another one.
func likeTitles(a, b string) bool {
	in := map[string]bool{"": false}
	for w := range strings.FieldsSeq(b) {
		in[mention.Key(w)] = true
	}
	same, all := 0, 0
	for w := range strings.FieldsSeq(a) {
		if key := mention.Key(w); key != "" {
			all++
			if in[key] {
				same++
			}
		}
	}
	return all > 0 && 2*same >= all
}

// mark stands between a title and the name of the site, and ahead also behind that
// name.
var (
	mark  = lexicon.Pattern(` (?:[|–—·»•‹›«~/│-]|::) `)
	ahead = lexicon.Pattern(` (?:[|–—·»•‹›«~/│-]|::) |: `)
)

// titleFields are those that have the title of the page, often with the site's name.
var titleFields = []string{"title", "og:title", "twitter:title"}

const (
	// maxSiteWords is how many words the last part of a title has that is the site's
	// name with something more: "Australian Bakels".
	maxSiteWords = 4
	// maxSiteParts is how many parts of the end of a title may be the site's: its
	// name, a section and what it says of itself. A page could make a title of
	// nothing but marks.
	maxSiteParts = 4
)

// siteNames are what a title ends with that is not of the thing that it names.
type siteNames struct {
	site     string          // as the page says it, to be compared
	labels   []string        // of its host, without the last
	headings map[string]bool // in lower case
}

func siteNamesOf(site string, at *url.URL) siteNames {
	s := siteNames{site: mention.Key(site), headings: map[string]bool{}}
	if at != nil {
		all := strings.Split(at.Hostname(), ".")
		for _, label := range all[:len(all)-1] {
			if key := mention.Key(label); utf8.RuneCountInString(key) > 3 {
				s.labels = append(s.labels, key)
			}
		}
	}
	return s
}

// withoutSiteNames replaces the titles of a page by those of what it is about. The entities of a
// page are shared by all questions, so that they stay as they are.
func withoutSiteNames(g *graph.Graph, at *url.URL) {
	names := siteNamesOf("", at)
	for _, e := range g.Roots {
		switch e.Source {
		case graph.Meta:
			if site := e.Get("og:site_name"); len(site) > 0 {
				names.site = mention.Key(site[0].Text)
			}
		case graph.Document:
			for _, v := range e.Get("h1") {
				names.headings[strings.ToLower(page.Collapse(v.Text))] = true
			}
		}
	}
	for i, e := range g.Roots {
		for j, f := range e.Fields {
			isTitle := (e.Source == graph.Meta || e.Source == graph.Document) && slices.Contains(titleFields, f.Name) || f.Name == "name" && e.Is("Recipe", "WebPage", "CollectionPage")
			if !isTitle {
				continue
			}
			if cut := names.without(f.Values[0].Text); cut != f.Values[0].Text {
				copied := *g.Roots[i]
				copied.Fields = slices.Clone(copied.Fields)
				f.Values = slices.Clone(f.Values)
				f.Values[0].Text, f.Values[0].Shown = cut, f.Values[0].Text
				copied.Fields[j] = f
				g.Roots[i] = &copied
			}
		}
	}
}

// without returns a title without the parts at its end that are the site's, and its
// name before it.
func (s siteNames) without(title string) string {
	for range maxSiteParts {
		all := mark().FindAllStringIndex(title, -1)
		if len(all) == 0 {
			break
		}
		at := all[len(all)-1]
		rest, last := strings.TrimSpace(title[:at[0]]), strings.TrimSpace(title[at[1]:])
		if rest == "" || !s.isSite(rest, last) {
			break
		}
		title = rest
	}
	for _, at := range ahead().FindAllStringIndex(title, maxSiteParts) {
		if s.site != "" && mention.Key(title[:at[0]]) == s.site {
			return title[at[1]:]
		}
	}
	return title
}

// isSite reports whether the last part of a title is the site's, and not of what the page
// is about.
func (s siteNames) isSite(rest, last string) bool {
	key := mention.Key(last)
	return key == "" || key == s.site || s.headings[strings.ToLower(rest)] || slices.ContainsFunc(s.labels, func(label string) bool {
		return strings.Contains(key, label) && len(strings.Fields(last)) <= maxSiteWords
	})
}

// begins reports whether a title begins with a heading, and so the other parts
// are the site's, or what the page stands in.
func (s siteNames) begins(title, heading string) bool {
	return heading != "" && !s.isSite("", heading) && slices.ContainsFunc(mark().FindAllStringIndex(title, maxSiteParts), func(at []int) bool {
		return strings.EqualFold(title[:at[0]], heading)
	})
}
