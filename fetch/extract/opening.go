package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/value"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// opening is what stands between the first heading of a page and its text:
// there it says who wrote it and when.
type opening struct {
	author string
	dates  []string
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
		if at := tree.AttrOr(n, "datetime"); at != "" && !isUpdated(o.last) {
			o.date(at, language)
		}
	}
	for c := n.FirstChild; c != nil && !o.closed; c = c.NextSibling {
		p.Meter.Step(1)
		if c.Type == html.TextNode {
			o.text(page.Collapse(c.Data), n, language)
		}
	}
}

func (o *opening) text(text string, in *html.Node, language string) {
	if text == "" || tree.Is(in, atom.Script, atom.Style, atom.Noscript, atom.Option) {
		return
	}
	o.texts++
	if len(text) > maxOpeningText || o.texts > maxOpeningTexts {
		o.closed = true
		return
	}
	o.byline(text)
	if len(text) <= maxByline && !isUpdated(o.last) && !isUpdated(text) {
		o.date(text, language)
	}
	o.last = text
}

// byline takes the name after "by", in the same text or in the one before.
func (o *opening) byline(text string) {
	if o.author != "" {
		return
	}
	name := ""
	switch before := strings.ToLower(strings.TrimRight(o.last, ": ")); {
	case onlyBy[before]:
		name = text
	case names.WithoutBy(text) != text:
		name = names.WithoutBy(text)
	default:
		return
	}
	if name = cutByline(name); len(name) <= maxByline && isPersonal(name) {
		o.author = name
	}
}

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
	return isName(s) && strings.Count(s, " ") < 5 && unicode.IsLetter(c) && !unicode.IsLower(c) && !strings.HasSuffix(s, ".")
}

func (o *opening) date(text, language string) {
	if len(o.dates) == maxNoted {
		return
	}
	if _, ok := value.ParseMoment(text, language); ok {
		o.dates = append(o.dates, text)
	}
}

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
