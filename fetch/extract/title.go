package extract

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/mention"
)

// title returns what the page is called: as its only first heading has it, where
// that says what the page says for machines in about the same words, or begins it,
// for those are often cut, or written for the lists of searches.
func (b *belief) title() string {
	names := siteNamesOf(b.site, b.page.URL)
	told, heading := names.without(b.text("title")), page.Collapse(b.head.heading)
	if told == "" || b.head.headings == 1 && (isTitle(heading) && likeTitles(heading, told) || names.begins(told, heading)) {
		return heading
	}
	return told
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

// separators stand between a title and the name of the site.
var separators = []string{" | ", " - ", " – ", " — ", " · ", " :: ", " » ", " • ", " ‹ ", " › ", " « ", " ~ ", " / ", " │ "}

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
				f.Values[0].Text = cut
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
		rest, last, ok := cutLast(title)
		if !ok || !s.isSite(rest, last) {
			break
		}
		title = rest
	}
	for _, mark := range append(separators, ": ") {
		if before, rest, ok := strings.Cut(title, mark); ok && s.site != "" && mention.Key(before) == s.site {
			return rest
		}
	}
	return title
}

// isSite reports whether the last part of a title is the site's, and not of what the page
// is about.
func (s siteNames) isSite(rest, last string) bool {
	key := mention.Key(last)
	if key == "" || s.site != "" && key == s.site {
		return true
	}
	for _, label := range s.labels {
		if key == label || strings.Contains(key, label) && len(strings.Fields(last)) <= maxSiteWords {
			return true
		}
	}
	return s.headings[strings.ToLower(rest)]
}

// begins reports whether a title begins with a heading, and so the other parts
// are the site's, or what the page stands in.
func (s siteNames) begins(title, heading string) bool {
	return heading != "" && !s.isSite("", heading) && slices.ContainsFunc(separators, func(mark string) bool {
		before, _, ok := strings.Cut(title, mark)
		return ok && strings.EqualFold(before, heading)
	})
}

// cutLast cuts a title at its last mark.
func cutLast(title string) (rest, last string, ok bool) {
	at, size := -1, 0
	for _, mark := range separators {
		if i := strings.LastIndex(title, mark); i > at {
			at, size = i, len(mark)
		}
	}
	if at <= 0 {
		return title, "", false
	}
	return strings.TrimSpace(title[:at]), strings.TrimSpace(title[at+size:]), true
}
