package visible

import (
	"strings"
)

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
