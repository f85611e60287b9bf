package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
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
	*head
	// shown are the authors after "by", the writers that links lead to, and the
	// dates of changes.
	shown *graph.Entity
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
func (o *opening) element(n *html.Node) {
	switch {
	case tree.Is(n, atom.Footer, atom.Form, atom.Table):
		o.closed = o.texts > 0
	case tree.Is(n, atom.Time):
		if o.saidBefore(n) == saidUpdated {
			o.modified(tree.AttrOr(n, "datetime"), n)
		}
	case tree.Is(n, atom.A) && writerPage().MatchString(tree.AttrOr(n, "href")):
		if name := page.Collapse(oneLine(o.page.Shown(n))); len(name) <= maxByline && people.IsFull(name) {
			note(o.shown, "writer", name, n)
		}
	}
	for c := n.FirstChild; c != nil && !o.closed; c = c.NextSibling {
		o.page.Meter.Step(1)
		if c.Type == html.TextNode {
			o.text(page.Collapse(c.Data), c)
		}
	}
}

var writerPage = lexicon.Pattern(`(?i)/(?:authors?|by|byline|contributors?|writers?|staff|people|profiles?|journalists?|reporters?|autor(?:en|es|in)?|auteurs?|autori|redaktion|redactie)/[^/?#]+/?(?:[?#].*)?$|/@[a-z0-9._-]+/?(?:[?#].*)?$`)

func (o *opening) text(text string, in *html.Node) {
	if text == "" || tree.Is(in.Parent, atom.Script, atom.Style, atom.Noscript, atom.Option, atom.Th, atom.Code) {
		return
	}
	o.texts++
	if len(text) > maxOpeningText || o.texts > maxOpeningTexts {
		o.closed = true
		return
	}
	if o.shown.Get("authors") == nil {
		for _, name := range o.names(text, in) {
			note(o.shown, "authors", name, in.Parent)
		}
	}
	o.modified(updateIn(text, o.page.Language), in.Parent)
	o.last = text
}

// names returns the names after "by": in the line that begins with it, where they
// may be links; in the same text, or behind when it was; or in the text behind that
// which says no more.
func (o *opening) names(text string, in *html.Node) []string {
	if tree.NextElement(in) != nil && len(text) <= maxByline && (isBy(text) || names.WithoutBy(text) != text) {
		line := page.Collapse(oneLine(o.page.Shown(in.Parent)))
		if found := bylinePeople(line); len(line) <= 2*maxByline && len(found) > 1 && strings.HasPrefix(line, text) {
			return found
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

// modified notes the date of a change.
func (o *opening) modified(text string, in *html.Node) {
	if _, ok := mention.ParseMoment(text, o.page.Language); ok {
		note(o.shown, "modified", text, in)
	}
}
