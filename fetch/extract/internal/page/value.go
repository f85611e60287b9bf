package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
)

// Word returns a text as a value: an address where all of it is an absolute
// one of the web, of mail or of a telephone.
func (p *Page) Word(n *html.Node, s string) graph.Value {
	s = strings.TrimSpace(s)
	if IsAddress(s) {
		return p.Link(n, s)
	}
	return graph.Value{Kind: graph.Text, Text: s, Element: n}
}

// Link returns an address as a value, made absolute.
func (p *Page) Link(n *html.Node, ref string) graph.Value {
	return graph.Value{Kind: graph.URL, Text: p.Resolve(ref), Element: n}
}

// IsAddress reports whether all of s is an absolute address of the web, of
// mail or of a telephone.
func IsAddress(s string) bool {
	return s != "" && strings.IndexByte("hmtHMT", s[0]) >= 0 && address().MatchString(s)
}

var address = lexicon.Pattern(`(?i)^(?:https?://|mailto:|tel:)[^ \t\r\n<>"]+$`)

// entity is a character reference with its semicolon: without one, an
// ampersand may be just that.
var entity = lexicon.Pattern(`&#?[0-9A-Za-z]{1,31};`)

// doubly is one that was escaped once more, by an editor behind an editor.
var doubly = lexicon.Pattern(`&amp;(#?[0-9A-Za-z]{1,31});`)

// Plain returns the text that is meant by a string of a script: its character
// references are replaced, and where it is HTML, its text is taken.
func (p *Page) Plain(s string) string {
	p.Meter.Read(len(s))
	if inner, ok := strings.CutPrefix(strings.TrimSpace(s), "<![CDATA["); ok {
		s = strings.TrimSuffix(inner, "]]>")
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = doubly().ReplaceAllString(s, "&$1;")
		s = entity().ReplaceAllStringFunc(s, html.UnescapeString)
	}
	if strings.IndexByte(s, '<') >= 0 && markup().MatchString(s) {
		s = p.stripped(s)
	}
	return strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD"))
}

// OfAttribute returns the text that is meant by an attribute for machines. Its
// character references are read already, so that a tag in it may be one that the
// text speaks of: it is HTML where a paragraph, a list or the like is in it, or
// where it begins with a tag and has its end.
func (p *Page) OfAttribute(s string) string {
	if strings.IndexByte(s, '<') < 0 && !doubly().MatchString(s) && !entity().MatchString(s) {
		return s
	}
	p.Meter.Read(len(s))
	if strings.IndexByte(s, '<') < 0 || blocks().MatchString(s) || strings.HasPrefix(strings.TrimSpace(s), "<") && markup().MatchString(s) {
		return p.Plain(s)
	}
	return s
}

// blocks is HTML with paragraphs, lists or lines.
var blocks = lexicon.Pattern(`(?is)<(?:p|div|ul|ol|li|table|h[1-6]|blockquote)(?:\s[^<>]*)?>.*</(?:p|div|ul|ol|li|table|h[1-6]|blockquote)\s*>|<br\s*/?>`)

// markup is a tag that a text about something else hardly holds.
var markup = lexicon.Pattern(`(?i)</(?:p|a|b|i|u|em|strong|span|div|li|ul|ol|h[1-6]|br|table|td|tr|font|sup|sub|small|section|article|blockquote|figure|code|pre)\s*>|<br\s*/?>|<p>|<li>|<img\s[^<>]*>`)

// stripped returns the text of a piece of HTML. It takes tags as they come, for
// a tree of what is unclosed might be large.
func (p *Page) stripped(s string) string {
	z := html.NewTokenizer(strings.NewReader(s))
	w := writer{meter: p.Meter}
	silent := atom.Atom(0) // the script or style that is open
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		p.Meter.Step(1)
		switch kind {
		case html.TextToken:
			if silent == 0 {
				w.text(html.UnescapeString(string(z.Raw())))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			tag, _ := z.TagName()
			name := atom.Lookup(tag)
			w.line = w.line || name == atom.Br || IsBlock(&html.Node{Type: html.ElementNode, DataAtom: name})
			switch {
			case kind == html.StartTagToken && (name == atom.Script || name == atom.Style):
				silent = name
			case kind == html.EndTagToken && name == silent:
				silent = 0
			}
		}
	}
	return w.b.String()
}
