package visible

import (
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/mention"
)

// questionLines marks the first text of lines that are questions before an
// answer, "Q: …" and "A: …", as headings of these.
func (r *reader) questionLines() {
	for at, s := range r.texts() {
		if at+1 == len(r.lines) || !mention.AsksAndAnswers(s, r.lineText(at+1)) {
			continue
		}
		first := r.lines[at].first
		if n := &r.nodes[first]; !n.is(inTable) && r.around(first, 2, func(up *node) bool { return up.named(atom.Dt) }) < 0 {
			n.flags |= isQuestion
		}
	}
}

// isFold reports whether an element is a question on a button that opens what
// stands behind it.
func (r *reader) isFold(n *node) bool {
	return r.text[n.to-1] == '?' && n.to-n.from <= maxLabelled && (n.named(atom.Button) || attr(n.el, "aria-expanded") != "")
}
