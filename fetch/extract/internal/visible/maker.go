package visible

import "github.com/drover-go/drover/fetch/extract/internal/people"

// makers reads who makes what a page sells where that stands beside its title:
// "by Acme". On other pages that is who wrote it.
func (r *reader) makers() {
	if r.titleNode < 0 || r.has(0, "brand") || !r.has(0, "price") {
		return
	}
	at := r.nodes[r.titleNode].lineEnd
	for i := max(0, at-3); i < min(len(r.lines), at+3); i++ {
		l := &r.lines[i]
		name := afterBy(r.text[l.from:l.to])
		if name == "" || hasDigit(name) || countWords(name) > 3 || !startsUpper(name) || r.nodes[l.first].part != 0 || r.nodes[l.first].is(isAside) {
			continue
		}
		r.addLabelled(l.first, "brand", name)
		e := r.parts[0].entity
		if authors := e.Get("author"); len(authors) == 1 && authors[0].Text == name && !people.IsFull(name) {
			e.Remove("author")
		}
		return
	}
}
