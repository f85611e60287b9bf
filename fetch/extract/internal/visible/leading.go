package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// isTakenAt reports whether a text stands in a term.
func (r *reader) isTakenAt(i int) bool {
	for n := 0; i >= 0 && n < 6; i, n = r.nodes[i].up, n+1 {
		if r.nodes[i].is(isTaken) && r.nodes[i].named(atom.Dt) {
			return true
		}
	}
	return false
}

// leading reads a line that begins with an element that is a label: in bold, a
// label, of such a class, or with a colon behind.
func (r *reader) leading(at int) bool {
	l := &r.lines[at]
	i := r.nodes[l.first].up
	found := -1
	for i >= 0 && r.nodes[i].from == l.from && r.nodes[i].to < l.to {
		r.Meter.Step(1)
		found, i = i, r.nodes[i].up
	}
	if found < 0 || r.nodes[found].is(hasLink) {
		return false
	}
	label, rest := r.text[l.from:r.nodes[found].to], r.text[r.nodes[found].to:l.to]
	colon := strings.HasSuffix(label, ":") || strings.HasPrefix(strings.TrimSpace(rest), ":")
	if !colon && !r.isLabelElement(found) || countWords(label) > 5 {
		return false
	}
	value := strings.TrimLeft(rest, " :：-–—\u00A0")
	name := nameOf(label)
	if name == "" || value == "" || !colon && !startsValue(value) {
		return false
	}
	value, more, _ := strings.Cut(value, " | ")
	r.addLabelled(found, name, value)
	for s := range segments(more) {
		if name, value := splitLabel(s); name != "" {
			r.addLabelled(l.first, name, value)
		}
	}
	return true
}

// startsValue reports whether a text after a label without a colon can be its
// value: a sentence goes on in lower case or with a comma.
func startsValue(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(c) && c != ',' && c != '.' && c != ')' && c != ';'
}

func (r *reader) isLabelElement(i int) bool {
	for n := 0; n < 3; n++ {
		if r.nodes[i].named(atom.B, atom.Strong, atom.Label, atom.Dt) || r.nodes[i].is(saysLabel) {
			return true
		}
		if i+1 >= r.nodes[i].end || r.nodes[i+1].is(isText) || r.nodes[i+1].to != r.nodes[i].to {
			return false
		}
		i++
	}
	return false
}

// within reads texts inside a line that have a label of their own, as in
// "Code: 12  Brand: Acme" where each stands in an element.
func (r *reader) within(at int) bool {
	l := &r.lines[at]
	found := false
	for i := l.first; i <= l.last; i++ {
		r.Meter.Step(1)
		n := &r.nodes[i]
		if n.is(isText) || n.from < l.from || n.to > l.to || n.from == l.from && n.to == l.to || n.is(isBlock) {
			continue
		}
		if name, value := splitLabel(r.text[n.from:n.to]); name != "" {
			r.addLabelled(i, name, value)
			found = true
			i = n.end - 1
		}
	}
	return found
}
