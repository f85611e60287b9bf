package visible

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// areOwnSections reports whether elements that are alike are parts of what the
// page tells of one thing and no items: under their headings stand values whose
// labels differ from one to the next, or sections have little in common.
func (r *reader) areOwnSections(members []int) bool {
	for _, m := range members {
		if !r.nodes[m].is(hasHeading) || r.nodes[m].named(atom.Li, atom.Article, atom.Details) {
			return false
		}
	}
	return r.haveOwnLabels(members) || r.areUnlike(members)
}

// areUnlike reports whether most section elements have less than half in common
// with the one before.
func (r *reader) areUnlike(members []int) bool {
	unlike := 0
	for k, m := range members {
		r.Meter.Step(1)
		if !r.nodes[m].named(atom.Section) {
			return false
		}
		if k > 0 && r.overlap(members[k-1], m) < 50 {
			unlike++
		}
	}
	return 2*unlike >= len(members)-1
}

// maxOwnLines is how many lines of a section are looked at for labels.
const maxOwnLines = 16

// haveOwnLabels reports whether most of the elements have values with a label,
// and no two the same label.
func (r *reader) haveOwnLabels(members []int) bool {
	seen, labelled := map[string]bool{}, 0
	for _, m := range members {
		own, ok := r.ownLabels(m)
		if !ok {
			return false
		}
		if len(own) > 0 {
			labelled++
		}
		for name := range own {
			if seen[name] {
				return false
			}
			seen[name] = true
		}
	}
	return labelled > 1 && 3*labelled >= 2*len(members)
}

// ownLabels returns the labels in an element; ok is false for one that is an
// item by its looks: its heading is a link or a question, or it has an image or
// a price.
func (r *reader) ownLabels(m int) (own map[string]bool, ok bool) {
	n := &r.nodes[m]
	if n.is(hasImage|hasTable) || n.lineEnd-n.line > 3*maxOwnLines {
		return nil, false
	}
	own = map[string]bool{}
	for at := n.line; at < min(n.lineEnd, n.line+maxOwnLines); at++ {
		r.Meter.Step(1)
		l := &r.lines[at]
		text := r.text[l.from:l.to]
		if at == n.line && (strings.HasSuffix(text, "?") || r.firstLink(m) >= 0 && r.nodes[r.firstLink(m)].line == at) {
			return nil, false
		}
		if _, priced := pricedText(text); priced || isMoney(text) {
			return nil, false
		}
		if name, value := splitLabel(text); name != "" && len(value) <= maxName && !strings.HasSuffix(value, ".") {
			if isMoney(value) {
				return nil, false
			}
			own[strings.ToLower(name)] = true
		}
	}
	return own, true
}
