package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// opening is what stands between the first heading of a page and its text:
// there it says who wrote it and when.
type opening struct {
	authors []string
	dates   []string
	// modified are the dates of changes.
	modified []string
	// writers are the names of links to the pages of those who write.
	writers []string
	// texts are how many were looked at, and last the one before.
	texts  int
	last   string
	closed bool
}

// An opening ends with a text that is longer than maxOpeningText bytes, or after
// maxOpeningTexts.
const (
	maxOpeningText  = 220
	maxOpeningTexts = 40
)

// element looks at an element after the heading.
func (o *opening) element(p *page.Page, n *html.Node, language string) {
	if o.closed {
		return
	}
	switch {
	case tree.Is(n, atom.Footer, atom.Form, atom.Table):
		o.closed = o.texts > 0
	case tree.Is(n, atom.Time):
		if at := tree.AttrOr(n, "datetime"); at != "" {
			o.told(p, n, at, "", language)
		}
	case tree.Is(n, atom.A):
		o.linked(p, n)
	}
	o.line(p, n)
	for c := n.FirstChild; c != nil && !o.closed; c = c.NextSibling {
		p.Meter.Step(1)
		if c.Type == html.TextNode {
			o.text(p, page.Collapse(c.Data), c, language)
		}
	}
}

func (o *opening) text(p *page.Page, text string, in *html.Node, language string) {
	if text == "" || tree.Is(in.Parent, atom.Script, atom.Style, atom.Noscript, atom.Option) {
		return
	}
	o.texts++
	if len(text) > maxOpeningText || o.texts > maxOpeningTexts {
		o.closed = true
		return
	}
	o.byline(text)
	if published, modified, ok := datesIn(text, language); ok {
		o.told(p, in, published, text, language)
		o.date(modified, true, language)
	}
	o.last = text
}

// byline takes the name after "by", in the same text or in the one before; or
// before a date: "Jane Roe · 3 May 2024".
func (o *opening) byline(text string) {
	if len(o.authors) > 0 {
		return
	}
	before := strings.ToLower(strings.TrimRight(o.last, ": "))
	if onlyBy[before] {
		if name := cutByline(text); len(name) <= maxByline && isPersonal(name) && !isNobody(name) {
			o.authors = []string{name}
		}
		return
	}
	if found := bylinePeople(text); found != nil {
		o.authors = found
		return
	}
	if m := byBehind().FindStringSubmatch(text); m != nil {
		o.authors = bylinePeople(m[1])
		return
	}
	if name, rest, ok := strings.Cut(text, " · "); ok && people.IsFull(name) {
		if _, ok := mention.ParseMoment(rest, ""); ok {
			o.authors = []string{name}
		}
	}
}

// byBehind finds who wrote something behind when that was.
var byBehind = lexicon.Pattern(`(?i)^(?:posted|published|submitted|written|updated|veröffentlicht|publié|publicado|pubblicato)\b.{0,40}?\d.{0,24}?\s((?:by|von|par|por|door)\s.+)$`)

// maxLine is how many nodes a line of names has at most.
const maxLine = 24

// line takes the names of an element that opens with "by" and has its names in
// elements of their own: links, with commas between.
func (o *opening) line(p *page.Page, n *html.Node) {
	if len(o.authors) > 0 || n.FirstChild == nil || n.FirstChild == n.LastChild {
		return
	}
	first := n.FirstChild
	if first.Type == html.TextNode && strings.TrimSpace(first.Data) == "" {
		first = first.NextSibling
	}
	if first == nil || first.Type != html.TextNode || len(first.Data) > maxByline {
		return
	}
	opens := strings.ToLower(strings.Trim(page.Collapse(first.Data), " :"))
	if !onlyBy[opens] && names.WithoutBy(page.Collapse(first.Data)) == page.Collapse(first.Data) {
		return
	}
	nodes := 0
	for range n.Descendants() {
		p.Meter.Step(1)
		if nodes++; nodes > maxLine {
			return
		}
	}
	if text := page.Collapse(oneLine(p.Shown(n))); len(text) <= 2*maxByline {
		if found := bylinePeople(text); len(found) > 1 {
			o.authors = found
		}
	}
}

// linked takes a name that links to the page of one who writes.
func (o *opening) linked(p *page.Page, n *html.Node) {
	if len(o.writers) < maxNoted && writerPage().MatchString(tree.AttrOr(n, "href")) {
		if name := page.Collapse(oneLine(p.Shown(n))); len(name) <= maxByline && people.IsFull(name) {
			o.writers = append(o.writers, name)
		}
	}
}

var writerPage = lexicon.Pattern(`(?i)/(?:authors?|by|byline|contributors?|writers?|staff|people|profiles?|journalists?|reporters?|autor(?:en|es|in)?|auteurs?|autori|redaktion|redactie)/[^/?#]+/?(?:[?#].*)?$|/@[a-z0-9._-]+/?(?:[?#].*)?$`)

var onlyBy = map[string]bool{"by": true, "written by": true, "posted by": true, "authored by": true, "author": true, "authors": true, "published by": true, "von": true, "autor": true, "autorin": true, "par": true, "auteur": true, "por": true, "door": true, "autore": true}

// cutByline cuts what stands behind a name in its line.
func cutByline(s string) string {
	for _, mark := range [...]string{" | ", " · ", " • ", " – ", " — ", " - ", " on ", " am ", ", ", " / "} {
		s, _, _ = strings.Cut(s, mark)
	}
	return strings.Trim(s, " ,|·•–—-")
}

// isPersonal reports whether a text is like a name: a few words, the first in a
// capital letter, none of them a number.
func isPersonal(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return people.MayBe(s) && strings.Count(s, " ") < 5 && unicode.IsLetter(c) && !unicode.IsLower(c) && !strings.HasSuffix(s, ".")
}

// told takes a date in an element, as the words in front of it have it; text is
// what the date is a part of.
func (o *opening) told(p *page.Page, in *html.Node, at, text, language string) {
	said := saidInFront(p, in)
	if text == "" {
		said = saidBefore(p, in)
	}
	if said == unsaid && len(o.last) <= maxByline && !isPublished(text) {
		said = saidOf(o.last)
	}
	switch {
	case said == saidOther && !isPublished(text):
	case isPublished(text):
		o.date(at, false, language)
	default:
		o.date(at, said == saidUpdated, language)
	}
}

func (o *opening) date(text string, updated bool, language string) {
	list := &o.dates
	if updated {
		list = &o.modified
	}
	if text == "" || len(*list) == maxNoted {
		return
	}
	if _, ok := mention.ParseMoment(text, language); ok {
		*list = append(*list, text)
	}
}

// isPublished reports whether a text says of the date behind it that it is the
// first one.
func isPublished(text string) bool { return visible.PublishedDate(text) }

// isUpdated reports whether a text says of the date behind it that it is that of
// a change.
func isUpdated(text string) bool {
	text = strings.ToLower(text)
	for _, w := range [...]string{"updat", "modif", "edited", "revised", "reviewed", "aktualis", "geändert", "mis à jour", "actualiz", "aggiornat", "bijgewerkt", "atualiz"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
