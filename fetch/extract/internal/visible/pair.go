package visible

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// isPair reports whether an element is made of a label and a value, each an
// element or a line.
func (r *reader) isPair(i int) bool {
	label, value := r.pairOf(i)
	return label != "" && value != ""
}

// pairOf returns the two texts of an element that are a label and a value, or "".
func (r *reader) pairOf(i int) (label, value string) {
	n := &r.nodes[i]
	if n.is(hasHeading|hasImage|hasTable|inTable) || n.to-n.from > 600 {
		return "", ""
	}
	i = r.unwrapped(i)
	n = &r.nodes[i]
	var at [2]int
	count := 0
	for c := i + 1; c < n.end; c = r.nodes[c].end {
		r.Meter.Step(1)
		if r.nodes[c].from == r.nodes[c].to {
			continue
		}
		if count == 2 {
			return "", ""
		}
		at[count] = c
		count++
	}
	if count < 2 || r.nodes[at[0]].is(isText) || r.nodes[at[0]].is(hasLink) || r.nodes[at[1]].is(hasLink) && r.nodes[at[1]].named(atom.Ul, atom.Ol, atom.Nav) {
		return "", ""
	}
	label = nameOf(r.textOf(at[0]))
	value = strings.TrimLeft(r.textOf(at[1]), ":： ")
	if countWords(label) > 5 || strings.Count(value, "\n") > 3 {
		return "", ""
	}
	return label, value
}

// unwrapped returns the innermost element that holds all words of node i.
func (r *reader) unwrapped(i int) int {
	for n := 0; n < 4; n++ {
		c := i + 1
		if c >= r.nodes[i].end || r.nodes[c].is(isText) || r.nodes[c].from != r.nodes[i].from || r.nodes[c].to != r.nodes[i].to {
			return i
		}
		i = c
	}
	return i
}

// saysLabel reports whether the first text of a pair says that it is a label,
// by a colon or its class.
func (r *reader) saysLabel(i int) bool {
	i = r.unwrapped(i)
	for c := i + 1; c < r.nodes[i].end; c = r.nodes[c].end {
		if n := &r.nodes[c]; n.from < n.to {
			return strings.HasSuffix(r.textOf(c), ":") || n.is(saysLabel) ||
				n.named(atom.B, atom.Strong, atom.Label) && r.nodes[i].lineEnd-r.nodes[i].line == 1
		}
	}
	return false
}
