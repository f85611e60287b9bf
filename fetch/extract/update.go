package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// update notes when the page was changed, where it says so anywhere, as
// documentation does below its text: "Last updated on 4 March 2024".
func (h *head) update(p *page.Page, n *html.Node) {
	if len(h.updates) == maxNoted || !tree.Is(n, atom.P, atom.Div, atom.Span, atom.Small, atom.Em, atom.I, atom.Footer, atom.Li) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode || len(c.Data) > maxOpeningText || !saysLast(c.Data) {
			continue
		}
		text := page.Collapse(c.Data)
		at := lastUpdate(text)
		if at == "" || h.isRemark(p, n) {
			continue
		}
		if t := nextTime(c); t != nil && !strings.ContainsAny(text, "0123456789") {
			h.updates = append(h.updates, tree.AttrOr(t, "datetime"))
		} else if _, modified, ok := datesIn(at, h.language); ok && modified != "" {
			h.updates = append(h.updates, modified)
		}
		return
	}
}

// lastWords open a text that tells when a page was changed.
var lastWords = []string{"last updated", "last modified", "last edited", "page last updated", "zuletzt aktualisiert", "zuletzt geändert", "dernière mise à jour", "dernière modification", "última actualización", "última modificación",
	"ultimo aggiornamento", "ultima modifica", "laatst bijgewerkt", "laatst gewijzigd", "última atualização"}

// saysLast is a quick look at whether a text may hold such words.
func saysLast(s string) bool {
	return strings.Contains(s, "ast ") || strings.Contains(s, "letzt ") || strings.Contains(s, "erni") || strings.Contains(s, "ltim")
}

// lastUpdate returns a text from such words on, or "".
func lastUpdate(text string) string {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return ""
	}
	for _, w := range lastWords {
		if at := strings.Index(lower, w); at == 0 || at > 0 && strings.HasSuffix(lower[:at], ". ") {
			return text[at:]
		}
	}
	return ""
}

// isRemark reports whether an element stands in the navigation, in an item of a
// list, or among the remarks of readers; the footer of the page is none of them.
func (h *head) isRemark(p *page.Page, n *html.Node) bool {
	for a := n; a != nil; a = a.Parent {
		p.Meter.Step(1)
		if tree.Is(a, atom.Footer) || tree.Is(a, atom.Body) {
			return false
		}
		if tree.Is(a, atom.Nav, atom.Aside) || h.isItem(p, a) {
			return true
		}
	}
	return false
}

// nextTime returns the time element that stands right behind a text, or nil.
func nextTime(n *html.Node) *html.Node {
	s := tree.NextElement(n)
	for levels := 0; s != nil && levels < 2; s, levels = s.FirstChild, levels+1 {
		if tree.Is(s, atom.Time) {
			return s
		}
	}
	return nil
}

// headingText returns the text of a heading, without the sign that links to it.
func headingText(p *page.Page, n *html.Node) string {
	text := strings.TrimSpace(oneLine(p.Shown(n)))
	last := n.LastChild
	for last != nil && tree.IsBlank(last) {
		last = last.PrevSibling
	}
	if last == nil || !tree.Is(last, atom.A) || !strings.HasPrefix(tree.AttrOr(last, "href"), "#") {
		return text
	}
	sign := strings.TrimSpace(tree.TextOf(last))
	if utf8.RuneCountInString(sign) > 2 || strings.ContainsFunc(sign, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(text, sign))
}
