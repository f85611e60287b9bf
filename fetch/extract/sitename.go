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

// titleFields are those that have the title of the page, often with the site's name.
var titleFields = []string{"title", "og:title", "twitter:title"}

// maxSiteWords is how many words the last part of a title has that is the site's name with
// something more: "Australian Bakels".
const maxSiteWords = 4

// maxSiteParts is how many parts of the end of a title may be the site's: its name, a section
// and what it says of itself. A page could make a title of nothing but marks.
const maxSiteParts = 4

// siteNames are what a title ends with that is not of the thing that it names.
type siteNames struct {
	site     string   // as the page says it, to be compared
	labels   []string // of its host, without the last
	headings []string
}

func siteNamesOf(g *graph.Graph, at *url.URL) (s siteNames) {
	for _, e := range g.Roots {
		switch e.Source {
		case graph.Meta:
			if vs := e.Get("og:site_name"); len(vs) > 0 {
				s.site = mention.Key(vs[0].Text)
			}
		case graph.Document:
			for _, v := range e.Get("h1") {
				s.headings = append(s.headings, page.Collapse(v.Text))
			}
		}
	}
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
	names := siteNamesOf(g, at)
	for i, e := range g.Roots {
		if e.Source != graph.Meta && e.Source != graph.Document && !e.Is("Recipe") {
			continue
		}
		for j := range e.Fields {
			if f := &e.Fields[j]; slices.Contains(titleFields, f.Name) || f.Name == "name" && e.Is("Recipe") {
				e = names.replaced(e, j)
			}
		}
		g.Roots[i] = e
	}
}

// replaced returns the thing with a title that has no name of the site; itself where it has none.
func (s siteNames) replaced(e *graph.Entity, field int) *graph.Entity {
	f := e.Fields[field]
	cut := s.without(f.Values[0].Text)
	if cut == f.Values[0].Text {
		return e
	}
	copied := *e
	copied.Fields = slices.Clone(e.Fields)
	f.Values = slices.Clone(f.Values)
	f.Values[0].Text = cut
	copied.Fields[field] = f
	return &copied
}

// without returns a title without the parts at its end that are the site's.
func (s siteNames) without(title string) string {
	for range maxSiteParts {
		rest, last, ok := cutLast(title)
		if !ok || !s.isSite(rest, last) {
			break
		}
		title = rest
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
	return slices.ContainsFunc(s.headings, func(h string) bool { return strings.EqualFold(h, rest) })
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
