package visible

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// withoutNotes returns a text without the marks of notes that it ends with:
// "67,000,000[1]", "12 *".
func withoutNotes(s string) string {
	whole := s
	for {
		t := strings.TrimRight(s, " *†‡")
		if open := strings.LastIndexByte(t, '['); open > 0 && strings.HasSuffix(t, "]") && isNoteName(t[open+1:len(t)-1]) {
			t = strings.TrimRight(t[:open], " ")
		}
		if t == "" {
			return whole
		}
		if t == s {
			return s
		}
		s = t
	}
}

// isNoteName reports whether a text in brackets says which note is meant.
func isNoteName(s string) bool {
	s = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(s), "note"))
	if s == "" || len(s) > 3 {
		return false
	}
	return len(s) == 1 || strings.Trim(s, "0123456789") == ""
}

// lookInNote is how many nodes of an element are looked at for whether it is the
// mark of a note.
const lookInNote = 6

// isNoteMark reports whether an element is the mark of a note and no part of the
// text: it is raised, short, and in brackets, a sign, or a link into the page.
func isNoteMark(n *html.Node) bool {
	if n.DataAtom != atom.Sup {
		return false
	}
	text, link, seen := "", false, 0
	for d := n.FirstChild; d != nil; {
		if seen++; seen > lookInNote {
			return false
		}
		switch d.Type {
		case html.TextNode:
			text += strings.TrimSpace(cut(d.Data, 2*shortLine))
		case html.ElementNode:
			link = link || d.DataAtom == atom.A && strings.HasPrefix(attr(d, "href"), "#")
		}
		d = following(d, n)
	}
	if text == "" || utf8.RuneCountInString(text) > 8 {
		return false
	}
	inner, open := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	return open && closed && isNoteName(inner) || link && isNoteName(text) || strings.Trim(text, "*†‡") == ""
}

// following returns the next node in the order of the page within top.
func following(n, top *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != top {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}
