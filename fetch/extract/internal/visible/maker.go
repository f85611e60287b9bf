package visible

import (
	"slices"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
)

// makers reads who makes what a page sells where that stands beside its title:
// "by Acme". On other pages that is who wrote it.
func (r *reader) makers() {
	if r.titleNode < 0 || r.has(0, "brand") || !r.has(0, "price") || !r.sells() {
		return
	}
	at := r.nodes[r.titleNode].lineEnd
	for i := max(0, at-3); i < min(len(r.lines), at+3); i++ {
		l := &r.lines[i]
		n := &r.nodes[l.first]
		if l.to-l.from > maxMoney || n.part != 0 || n.is(isAside|inTable) || r.nodes[r.titleNode].line <= i && i < at {
			continue
		}
		name := afterBy(r.text[l.from:l.to])
		if name == "" || hasDigit(name) || countWords(name) > 3 || !startsUpper(name) {
			continue
		}
		r.addLabelled(l.first, "brand", name)
		if !people.IsFull(name) {
			r.unsay("author", name)
		}
		return
	}
}

// unsay takes a value from the page again.
func (r *reader) unsay(name, text string) {
	is := func(v graph.Value) bool { return v.Text == text }
	e := r.parts[0].entity
	for k := range e.Fields {
		if f := &e.Fields[k]; f.Name == name {
			if kept := slices.DeleteFunc(slices.Clone(f.Values), is); len(kept) > 0 {
				f.Values = kept
				return
			}
			e.Remove(name)
			return
		}
	}
}

// sells reports whether the page has a button that buys.
func (r *reader) sells() bool {
	for _, v := range r.parts[0].entity.Get("availability") {
		if v.Text == "InStock" && v.Element != nil && (isButton(v.Element) || v.Element.DataAtom == atom.Input) {
			return true
		}
	}
	return false
}
