package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// labels reads values that have a label: elements of a label and a value that
// are repeated, lines such as "Price: 12", and lines under a label.
func (r *reader) labels() {
	for _, p := range r.pairs {
		r.pair(p)
	}
	for i := range r.lines {
		r.Meter.Step(1)
		r.labelled(i)
	}
	for i := range r.nodes {
		if n := &r.nodes[i]; !n.is(isText) && len(n.el.Attr) > 0 {
			if name, value := splitLabel(oneLine(attr(n.el, "aria-label"))); name != "" {
				v := r.textValue(value, graph.Label, n.el)
				v.Aside = n.is(isAside)
				r.add(n.part, name, v)
			}
		}
	}
}

func (r *reader) pair(i int) {
	label, value := r.pairOf(i)
	if label == "" {
		return
	}
	n := &r.nodes[i]
	part := n.part
	if n.is(isMember) {
		part = r.parts[part].around
	}
	v := r.textValue(oneLine(value), graph.Label, n.el)
	v.Aside = n.is(isAside)
	r.add(part, label, v)
}

// maxLabelled is how long a line with a label and a value is at most, in
// bytes.
const maxLabelled = 600

// labelled reads a line.
func (r *reader) labelled(at int) {
	l := &r.lines[at]
	first := &r.nodes[l.first]
	if first.is(inTable) || l.to-l.from > maxLabelled || r.isTakenAt(l.first) {
		return
	}
	if r.leading(at) || r.within(at) {
		return
	}
	for s := range segments(r.text[l.from:l.to]) {
		if name, value := splitLabel(s); name != "" {
			r.addLabelled(l.first, name, value)
			continue
		}
	}
	r.above(at)
}

// isTakenAt reports whether a text stands in a term.
func (r *reader) isTakenAt(i int) bool {
	for n := 0; i >= 0 && n < 6; i, n = r.nodes[i].up, n+1 {
		if r.nodes[i].is(isTaken) && r.nodes[i].named(atom.Dt) {
			return true
		}
	}
	return false
}

func (r *reader) addLabelled(i int, name, value string) {
	v := r.textValue(oneLine(value), graph.Label, r.elementOf(i))
	v.Aside = r.nodes[i].is(isAside)
	r.add(r.nodes[i].part, name, v)
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

// above reads a line that is a label of the next one: it ends with a colon, or
// its class says so.
func (r *reader) above(at int) {
	if at+1 >= len(r.lines) {
		return
	}
	l, next := &r.lines[at], &r.lines[at+1]
	text := r.text[l.from:l.to]
	up := r.nodes[l.first].up
	if l.to-l.from > maxName || next.to-next.from > maxLabelled || r.nodes[next.first].part != r.nodes[l.first].part {
		return
	}
	colon := strings.HasSuffix(text, ":")
	if r.aboveList(at, colon) {
		return
	}
	if !colon && !r.nodes[up].is(saysLabel) || !r.areNear(l.first, next.first) {
		return
	}
	value := r.text[next.from:next.to]
	if strings.HasSuffix(value, ":") || r.nodes[r.nodes[next.first].up].is(saysLabel) {
		return
	}
	if name := nameOf(text); name != "" && countWords(name) <= 5 {
		r.addLabelled(next.first, name, value)
	}
}

// areNear reports whether the second of two texts is at most two elements away
// from the first.
func (r *reader) areNear(a, b int) bool {
	for n := 0; n < 3 && a >= 0; n++ {
		if a = r.nodes[a].up; a >= 0 && r.nodes[a].end > b {
			return true
		}
	}
	return false
}

// segments yields the parts of a line that signs separate.
func segments(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for part := range strings.SplitSeq(s, " | ") {
			for p := range strings.SplitSeq(part, " · ") {
				if !yield(strings.TrimSpace(p)) {
					return
				}
			}
		}
	}
}

// splitLabel cuts a text such as "Price: 12" in two. It returns "" for what is
// a sentence, a time or an address.
func splitLabel(s string) (name, value string) {
	if len(s) > maxLabelled {
		return "", ""
	}
	i := strings.IndexAny(s, ":：")
	if i <= 0 || i > maxName {
		return "", ""
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	label, rest := s[:i], s[i+size:]
	value = strings.TrimSpace(rest)
	if value == "" || strings.HasPrefix(rest, "//") || hasDigit(s[i-1:i]) && hasDigit(rest[:1]) || countWords(label) > 4 {
		return "", ""
	}
	if c, _ := utf8.DecodeRuneInString(label); !unicode.IsLetter(c) && !strings.ContainsRune("•·-*✓", c) {
		return "", ""
	}
	return nameOf(label), value
}
