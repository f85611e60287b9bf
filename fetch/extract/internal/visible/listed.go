package visible

import (
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// itemsOf returns the items of a list with words, or nil for one whose items
// are things of their own.
func (r *reader) itemsOf(list int) []int {
	var items []int
	for c := list + 1; c < r.nodes[list].end && len(items) < maxTexts; c = r.nodes[c].end {
		r.Meter.Step(1)
		n := &r.nodes[c]
		if !n.named(atom.Li) || n.is(isMember) {
			return nil
		}
		if n.from < n.to {
			items = append(items, c)
		}
	}
	return items
}

// listIn returns the items of the list that is all there is in node i, or nil.
func (r *reader) listIn(i int) []int {
	n := &r.nodes[i]
	for c := i + 1; c < n.end && r.nodes[c].from == n.from && r.nodes[c].to == n.to && n.from < n.to; c++ {
		r.Meter.Step(1)
		if r.nodes[c].named(atom.Ul, atom.Ol) {
			return r.itemsOf(c)
		}
	}
	return nil
}

// listAt returns the items of the list that begins with a line, or nil.
func (r *reader) listAt(at int) []int {
	l := &r.lines[at]
	for i, n := r.nodes[l.first].up, 0; i >= 0 && n < 5 && r.nodes[i].from == l.from; i, n = r.nodes[i].up, n+1 {
		if r.nodes[i].named(atom.Ul, atom.Ol) {
			return r.itemsOf(i)
		}
	}
	return nil
}

// addItems adds each item of a list as a value of the part that the label is
// in.
func (r *reader) addItems(part int, name string, items []int, from graph.Source) {
	for _, i := range items {
		r.add(part, name, r.value(i, from))
	}
}

// aboveList reads a line that is a label of the list behind it: it ends with a
// colon, or is all in bold. What stands under headings is read as a section.
func (r *reader) aboveList(at int, colon bool) bool {
	l := &r.lines[at]
	bold := false
	for i := r.nodes[l.first].up; i >= 0 && r.nodes[i].from == l.from && r.nodes[i].to == l.to; i = r.nodes[i].up {
		r.Meter.Step(1)
		if r.headingLevel(i) > 0 {
			return false
		}
		bold = bold || r.nodes[i].named(atom.B, atom.Strong)
	}
	if !colon && !bold || !r.areNear(l.first, r.lines[at+1].first) {
		return false
	}
	items := r.listAt(at + 1)
	name := nameOf(r.text[l.from:l.to])
	if len(items) < 2 || name == "" || countWords(name) > 5 {
		return false
	}
	r.addItems(r.nodes[l.first].part, name, items, graph.Label)
	return true
}
