package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// link writes a link, as <address> where the text is the address.
func (e *engine) link(ctx converter.Context, w converter.Writer, n *html.Node) {
	outer := e.inLink
	e.inLink = true
	content := e.inside(ctx, n)
	e.inLink = outer
	before, content, after := trimSpaces(joinLines(content))
	href := tree.AttrOr(n, "href")
	_, _ = w.Write(before)
	if isAutolink(href) && e.textOf(n) == href {
		_, _ = w.WriteString("<" + href + ">")
	} else {
		_ = w.WriteByte('[')
		_, _ = w.Write(content)
		_, _ = w.WriteString("](" + destination(href) + titlePart(n) + ")")
	}
	_, _ = w.Write(after)
}

// isAutolink reports whether an address can stand in angle brackets.
func isAutolink(href string) bool {
	return (strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://")) && !strings.ContainsAny(href, " <>\n\t|")
}

// image writes an image, or text that is markdown already.
func (e *engine) image(w converter.Writer, n *html.Node) {
	if raw, ok := rawOf(n); ok {
		_, _ = w.WriteString(raw)
		return
	}
	_, _ = w.WriteString("![" + e.escapeText(tree.AttrOr(n, "alt")) + "](" + destination(tree.AttrOr(n, "src")) + titlePart(n) + ")")
}

// titlePart returns the title of a link or image as it stands after the
// address.
func titlePart(n *html.Node) string {
	title := tree.AttrOr(n, "title")
	if title == "" {
		return ""
	}
	var b strings.Builder
	for i := range len(title) {
		switch c := title[i]; {
		case c == '"', c == '\\' && (i+1 == len(title) || isPunct(title[i+1])), c == '&' && isEntity(title[i:]):
			b.WriteByte('\\')
		}
		b.WriteByte(title[i])
	}
	return ` "` + b.String() + `"`
}

// destination returns an address as markdown takes it: without spaces and
// angle brackets, and with parentheses that pair up.
func destination(url string) string {
	parens := parenEscape(url)
	var b strings.Builder
	for i := range len(url) {
		switch c := url[i]; {
		case c <= ' ' || c == '<' || c == '>' || c == 0x7f:
			fmt.Fprintf(&b, "%%%02X", c)
		case c == '\\' && (i+1 == len(url) || isPunct(url[i+1])), c == '&' && isEntity(url[i:]), parens && (c == '(' || c == ')'):
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// maxParens is how deep the parentheses of an address may nest.
const maxParens = 8

// parenEscape reports whether the parentheses of an address must be escaped.
func parenEscape(url string) bool {
	open := 0
	for i := range len(url) {
		switch url[i] {
		case '(':
			open++
		case ')':
			open--
		}
		if open < 0 || open > maxParens {
			return true
		}
	}
	return open != 0
}

// joinLines leaves of the line breaks in a link those that are meant.
func joinLines(content []byte) []byte {
	if bytes.IndexByte(content, '\n') < 0 {
		return content
	}
	var out []byte
	hard := false
	for l := range bytes.SplitSeq(content, []byte("\n")) {
		text := bytes.TrimSpace(l)
		if len(text) == 0 {
			continue
		}
		switch {
		case len(out) == 0:
			if len(l) > 0 && l[0] == ' ' {
				out = append(out, ' ')
			}
		case hard:
			out = append(out, "  \n"...)
		default:
			out = append(out, ' ')
		}
		out = append(out, text...)
		hard = bytes.HasSuffix(l, []byte("  "))
	}
	if content[len(content)-1] == ' ' {
		out = append(out, ' ')
	}
	return out
}

// trimSpaces splits content into what is before, in and after its first and
// last character that is no space. Spaces that do not break count: delimiters
// beside them are not read as such.
func trimSpaces(content []byte) (before, inner, after []byte) {
	inner = bytes.TrimLeft(content, " \n\u00a0")
	before = content[:len(content)-len(inner)]
	trimmed := bytes.TrimRight(inner, " \n\u00a0")
	return before, trimmed, inner[len(trimmed):]
}

// marks are how emphasis is written, as markdown and as HTML.
var marks = map[string]struct{ delimiter, tag string }{
	outerEm: {"*", "em"}, innerEm: {"_", "em"},
	outerStrong: {"**", "strong"}, innerStrong: {"__", "strong"},
	"del": {"~~", "del"},
	// The engine makes this one of a heading where none can be.
	"strong": {"**", "strong"},
}

// emphasis writes emphasis, that of each paragraph by itself. Delimiters work
// only where the characters beside them are of the right kind; elsewhere tags
// are written.
func (e *engine) emphasis(ctx converter.Context, w converter.Writer, n *html.Node) {
	mark := marks[n.Data]
	struck := e.inStrike
	e.inStrike = struck || mark.tag == "del"
	e.emphases++
	content := e.inside(ctx, n)
	e.emphases--
	e.inStrike = struck
	for i, part := range paragraphs(content) {
		if i > 0 {
			_, _ = w.WriteString("\n\n")
		}
		before, inner, after := trimSpaces(part)
		_, _ = w.Write(before)
		switch {
		case len(inner) == 0:
		case e.canDelimit(n, inner, mark.delimiter):
			_, _ = w.WriteString(mark.delimiter)
			_, _ = w.Write(inner)
			_, _ = w.WriteString(mark.delimiter)
		default:
			_, _ = w.WriteString("<" + mark.tag + ">")
			_, _ = w.Write(inner)
			_, _ = w.WriteString("</" + mark.tag + ">")
		}
		_, _ = w.Write(after)
	}
}

// paragraphs splits content at its empty lines.
func paragraphs(content []byte) [][]byte {
	var parts [][]byte
	start := 0
	for i := 0; i < len(content); i++ {
		if content[i] != '\n' {
			continue
		}
		end := i
		for i+1 < len(content) && (content[i+1] == ' ' || content[i+1] == '\n') {
			i++
		}
		if bytes.Count(content[end:i+1], []byte("\n")) > 1 {
			parts = append(parts, content[start:end])
			start = i + 1
		}
	}
	return append(parts, content[start:])
}

// canDelimit reports whether delimiters around inner are read as such, by the
// rules of CommonMark, section 6.2. Delimiters that could both open and close
// emphasis are well as long as no other emphasis is inside or around.
func (e *engine) canDelimit(n *html.Node, inner []byte, delimiter string) bool {
	if e.touchesMark(n, inner, delimiter[0]) {
		return false
	}
	prev, next := kindOf(e.neighbour(n, backward)), kindOf(e.neighbour(n, forward))
	r, _ := utf8.DecodeRune(inner)
	first := kindOf(r)
	r, _ = utf8.DecodeLastRune(inner)
	last := kindOf(r)
	if first == kindMark && prev == kindWord || last == kindMark && next == kindWord {
		return false
	}
	if delimiter[0] == '_' && (prev == kindWord || next == kindWord) {
		return false
	}
	alone := e.emphases == 0 && bytes.IndexByte(inner, delimiter[0]) < 0
	return alone || first != prev && last != next
}

// A runeKind is what the rules for delimiters tell apart.
type runeKind uint8

const (
	kindSpace runeKind = iota
	kindMark           // punctuation and symbols
	kindWord           // everything else
)

func kindOf(r rune) runeKind {
	switch {
	case unicode.IsSpace(r):
		return kindSpace
	case unicode.IsPunct(r) || unicode.IsSymbol(r):
		return kindMark
	}
	return kindWord
}

// touchesMark reports whether delimiters would come to stand beside characters
// of their own kind and be read together with them.
func (w *work) touchesMark(n *html.Node, inner []byte, delimiter byte) bool {
	if delimiter == '~' && (inner[0] == '~' || inner[len(inner)-1] == '~' || w.neighbour(n, backward) == '~') {
		return true
	}
	prev, _ := w.adjacent(n, backward)
	return prev != nil && prev.Type == html.ElementNode && marks[prev.Data].tag != "" && marks[prev.Data].delimiter[0] == delimiter
}
