package markdown

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// The engine marks places in its text with characters that it takes back in
// the end: the bell for "escape this if needed" and a private one for the line
// breaks of code. Neither may come from a page.
const markNewline = '\uF002'

// cleanText drops what would be taken for a mark of the engine, control
// characters, and the invisible hints for line breaking that keep a word from
// being found.
func cleanText(s string) string {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return strings.Map(cleanRune, s)
		}
	}
	return s
}

func cleanRune(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\r' || r == '\f' || r == '\v':
		return ' '
	case r == '\u0085' || r == '\u2028':
		return '\n'
	case r < ' ' || 0x7f <= r && r < 0xa0 || r == markNewline:
		return -1
	case r == '\u00AD' || r == '\u200B' || r == '\u2060' || r == '\uFEFF':
		return -1
	}
	return r
}

// oneLine returns s clean, trimmed and with every run of white space as one
// space.
func oneLine(s string) string {
	s = cleanText(s)
	for i := range len(s) {
		if c := s[i]; c == '\n' || c == '\t' || c == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			return strings.Join(strings.FieldsFunc(s, isSpace), " ")
		}
	}
	return s
}

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }

// hasWords reports whether s has a letter or a digit.
func hasWords(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// mergeTexts joins texts that stand side by side among the children of n. The
// engine would do it, too, in quadratic time.
func mergeTexts(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode || c.NextSibling == nil || c.NextSibling.Type != html.TextNode {
			continue
		}
		var b strings.Builder
		b.WriteString(c.Data)
		for next := c.NextSibling; next != nil && next.Type == html.TextNode; next = c.NextSibling {
			b.WriteString(next.Data)
			n.RemoveChild(next)
		}
		c.Data = b.String()
	}
}

// mergeEmphasis makes one of passages of the same emphasis that stand side by
// side among the children of n: their delimiters would be read as one.
func mergeEmphasis(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if marks[c.Data].tag == "" || c.Type != html.ElementNode {
			continue
		}
		merged := false
		for next := c.NextSibling; named(next, c.Data); next = c.NextSibling {
			tree.MoveChildren(c, next)
			n.RemoveChild(next)
			merged = true
		}
		if merged {
			mergeTexts(c)
		}
	}
}

// rawSpace is the namespace of the attribute of [rawNode]: the parser makes no
// attribute with it.
const rawSpace = "drover"

// rawNode returns a node whose text is written to the markdown as it is. It is
// an image to the engine, which leaves white space around images alone.
func rawNode(md string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: "img", Attr: []html.Attribute{{Namespace: rawSpace, Key: "raw", Val: md}}}
}

// rawOf returns the text of a raw node.
func rawOf(n *html.Node) (string, bool) {
	if len(n.Attr) == 1 && n.Attr[0].Namespace == rawSpace {
		return n.Attr[0].Val, true
	}
	return "", false
}

func isRaw(n *html.Node) bool {
	_, ok := rawOf(n)
	return ok
}

// wrapChildren puts a node before and one after the children of n.
func wrapChildren(n, before, after *html.Node) {
	n.InsertBefore(before, n.FirstChild)
	n.AppendChild(after)
}

// emptied takes all children of n away and gives it one text instead.
func emptied(n *html.Node, text string) {
	tree.Clear(n)
	if text != "" {
		n.AppendChild(tree.Text(text))
	}
}
