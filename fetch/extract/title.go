package extract

import (
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/mention"
)

// title returns what the page is called: as its only first heading has it, where
// that says what the page says for machines in about the same words, for those
// are often cut, or written for the lists of searches.
func (b *belief) title(main, entry *entity, site string) string {
	told := first(b.text(b.meta, "og:title"), b.text(main, "headline", "name", "title"),
		b.text(b.meta, "twitter:title", "citation_title", "dc.title", "dcterms.title"), b.text(entry, "name"), page.Collapse(b.head.title))
	told = b.withoutHost(withoutSite(told, site))
	heading := page.Collapse(b.head.heading)
	if under := page.Collapse(b.head.underText); heading == "" && b.isLastPart(under, told) {
		return under
	}
	if told == "" || b.head.headings == 1 && (isTitle(heading) && likeTitles(heading, told) || b.isPart(heading, told)) {
		return heading
	}
	return told
}

// isTitle reports whether a heading is long enough to be more than the name of
// the site or of a part of it, and no longer than a title.
func isTitle(s string) bool { return strings.Count(s, " ") >= 2 && len(s) <= 250 }

// isPart reports whether a title begins with a heading, and so the other parts
// are the site's, or what the page stands in.
func (b *belief) isPart(heading, title string) bool {
	if heading == "" || len(heading) >= len(title) || mention.Key(heading) == b.siteKey || b.withoutHost("x | "+heading) == "x" {
		return false
	}
	for _, mark := range separators {
		if before, _, ok := strings.Cut(title, mark); ok && strings.EqualFold(before, heading) {
			return true
		}
	}
	return false
}

// isLastPart reports whether a title ends with a heading, and before it stands
// the name of the site or of a part of it, as on the pages of forums.
func (b *belief) isLastPart(heading, title string) bool {
	before, ok := strings.CutSuffix(title, heading)
	if !ok || before == "" || len(heading) < 8 || mention.Key(heading) == b.siteKey {
		return false
	}
	for _, mark := range append(separators, ": ") {
		if strings.HasSuffix(before, mark) {
			return true
		}
	}
	return false
}

// likeTitles reports whether at least half of the words of a title are in
// another one.
func likeTitles(a, b string) bool {
	in := map[string]bool{}
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

// withoutSite returns a title without the name of the site at its end or
// beginning.
func withoutSite(title, site string) string {
	if site == "" {
		return title
	}
	for _, mark := range append(separators, ": ") {
		if rest, ok := cutEnd(title, mark, site); ok {
			return rest
		}
		if at := strings.LastIndex(title, mark); at > 0 && utf8.RuneCountInString(site) > 3 && mention.Key(title[at+len(mark):]) == mention.Key(site) {
			return title[:at]
		}
		if len(title) > len(site)+len(mark) && strings.EqualFold(title[:len(site)], site) && title[len(site):len(site)+len(mark)] == mark {
			return title[len(site)+len(mark):]
		}
	}
	return title
}

// cutEnd cuts a mark and a name off the end of a title, in any case.
func cutEnd(title, mark, name string) (string, bool) {
	at := len(title) - len(mark) - len(name)
	if at <= 0 || title[at:at+len(mark)] != mark || !strings.EqualFold(title[at+len(mark):], name) {
		return title, false
	}
	return title[:at], true
}

// withoutHost returns a title without its last part where that is the name of
// the host: "Lamps | Lamp House" at lamphouse.example.
func (b *belief) withoutHost(title string) string {
	if b.page.URL == nil {
		return title
	}
	for _, mark := range separators {
		at := strings.LastIndex(title, mark)
		if at <= 0 {
			continue
		}
		name := mention.Key(title[at+len(mark):])
		for label := range strings.SplitSeq(b.page.URL.Hostname(), ".") {
			if utf8.RuneCountInString(name) > 3 && name == mention.Key(label) {
				return title[:at]
			}
		}
	}
	return title
}
