package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// opening is what stands between the first heading of a page and its text:
// there it says who wrote it and when.
type opening struct {
	authors []string
	// dates are those of publication, and modified those of changes.
	dates, modified []string
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
	switch {
	case tree.Is(n, atom.Footer, atom.Form, atom.Table):
		o.closed = o.texts > 0
	case tree.Is(n, atom.Time):
		if at := tree.AttrOr(n, "datetime"); at != "" {
			o.told(p, n, at, "", language)
		}
	case tree.Is(n, atom.A) && len(o.writers) < maxNoted && writerPage().MatchString(tree.AttrOr(n, "href")):
		if name := page.Collapse(oneLine(p.Shown(n))); len(name) <= maxByline && people.IsFull(name) {
			o.writers = append(o.writers, name)
		}
	}
	for c := n.FirstChild; c != nil && !o.closed; c = c.NextSibling {
		p.Meter.Step(1)
		if c.Type == html.TextNode {
			o.text(p, page.Collapse(c.Data), c, language)
		}
	}
}

var writerPage = lexicon.Pattern(`(?i)/(?:authors?|by|byline|contributors?|writers?|staff|people|profiles?|journalists?|reporters?|autor(?:en|es|in)?|auteurs?|autori|redaktion|redactie)/[^/?#]+/?(?:[?#].*)?$|/@[a-z0-9._-]+/?(?:[?#].*)?$`)

func (o *opening) text(p *page.Page, text string, in *html.Node, language string) {
	if text == "" || tree.Is(in.Parent, atom.Script, atom.Style, atom.Noscript, atom.Option) {
		return
	}
	o.texts++
	if len(text) > maxOpeningText || o.texts > maxOpeningTexts {
		o.closed = true
		return
	}
	if len(o.authors) == 0 {
		o.authors = o.byline(p, text, in)
	}
	if published, modified, ok := datesIn(text, language); ok {
		o.told(p, in, published, text, language)
		o.date(modified, true, language)
	}
	o.last = text
}

// byline returns the names after "by": in the line that begins with it, where they
// may be links; in the same text, or behind when it was; or in the text behind that
// which says no more.
func (o *opening) byline(p *page.Page, text string, in *html.Node) []string {
	if opens := isBy(text) || names.WithoutBy(text) != text; opens && tree.NextElement(in) != nil && len(text) <= maxByline {
		if line := page.Collapse(oneLine(p.Shown(in.Parent))); len(line) <= 2*maxByline && strings.HasPrefix(line, text) {
			if found := bylinePeople(line); len(found) > 1 {
				return found
			}
		}
	}
	if isBy(o.last) {
		if name, _, _ := strings.Cut(cutMarks(text), ", "); isPersonal(name) {
			return []string{name}
		}
		return nil
	}
	if m := byBehind().FindStringSubmatch(text); m != nil {
		return bylinePeople(m[1])
	}
	if name, rest, ok := strings.Cut(text, " · "); ok && people.IsFull(name) {
		if _, ok := mention.ParseMoment(rest, ""); ok {
			return []string{name}
		}
	}
	return bylinePeople(text)
}

// byBehind finds who wrote something behind when that was.
var byBehind = lexicon.Pattern(`(?i)^(?:posted|published|submitted|written|updated|veröffentlicht|publié|publicado|pubblicato)\b.{0,40}?\d.{0,24}?\s((?:by|von|par|por|door)\s.+)$`)

// told takes a date in an element, as the words in front of it have it; text is
// what the date is a part of.
func (o *opening) told(p *page.Page, in *html.Node, at, text, language string) {
	said := saidBefore(p, in)
	if said == unsaid && len(o.last) <= maxByline {
		said = saidOf(o.last)
	}
	if mention.SaysPublished(text) {
		said = saidPublished
	}
	if said != saidOther {
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
