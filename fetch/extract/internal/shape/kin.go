package shape

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/schema"
)

// maxKin is how many things are looked at for what they have in common.
const maxKin = 50

// alike returns what reports whether a thing is like others: of their source and
// types, with at least half of the names that half of them have. Without others
// nothing is.
func (sh *shaper) alike(all []*graph.Entity) func(*graph.Entity) bool {
	all = all[:min(len(all), maxKin)]
	counts, usual := map[string]int{}, []string(nil)
	for _, e := range all {
		sh.m.Step(1 + len(e.Fields))
		for _, f := range e.Fields {
			if counts[f.Name]++; counts[f.Name] == (len(all)+1)/2 {
				usual = append(usual, f.Name)
			}
		}
	}
	return func(e *graph.Entity) bool {
		if len(all) == 0 || e == nil || e.Source != all[0].Source || len(all[0].Types) > 0 && !e.Is(all[0].Types...) {
			return false
		}
		sh.m.Step(len(usual))
		shared := 0
		for _, name := range usual {
			if e.Get(name) != nil {
				shared++
			}
		}
		return 2*shared >= len(usual)
	}
}

// hold keeps an item that misses something in the list until it is known
// whether it is like the others. It has half of what is required with more than
// what it is called, and a text that is two of its members counts once.
func (l *list) hold(o *schema.Outline, n *node) {
	if n.kind != object || l.v.Prefix != nil || n.of == nil || len(l.node.items) >= l.sh.o.MaxItems {
		return
	}
	need := l.sh.view(o)
	named, has, said := false, 0, map[string]bool{}
	for _, p := range need.props {
		m := n.member(p.name)
		if m == nil {
			continue
		}
		if p.required && (m.kind != scalar || !said[m.from.name]) {
			has++
		}
		said[m.from.name] = true
		named = named || p.is("name", "headline", "title", "question", "jobTitle")
	}
	if has > 0 && has*2 >= len(need.Required) && (len(n.members) > 1 || !named) {
		l.halves = append(l.halves, n.of)
	}
	l.held = append(l.held, n)
	l.node.push(n)
}

// sift drops the items that miss something and are not like those that miss
// nothing; where all miss something, like those that have half of what is
// required, if these are half of what was looked at.
func (l *list) sift() {
	kin, doubtful := l.fullest()
	if len(kin) == 0 && l.lenient && 2*len(l.halves) >= l.things {
		kin = l.halves
	}
	if doubtful = append(doubtful, l.held...); len(doubtful) == 0 {
		return
	}
	out, isLike := map[*node]bool{}, l.sh.alike(kin)
	for _, n := range doubtful {
		out[n] = !isLike(n.of)
	}
	all := l.node.items
	l.node.items, l.node.filled = nil, 0
	for _, n := range all {
		if !out[n] && (l.v.MaxItems < 0 || len(l.node.items) < l.v.MaxItems) {
			l.node.push(n)
		}
	}
}

// fullest parts the items that miss nothing: where little is required, things of
// the visible page that have no more than half of what the others have may be
// something else.
func (l *list) fullest() (kin []*graph.Entity, doubtful []*node) {
	seen := func(n *node) bool { return n.of != nil && n.of.Source == graph.Item }
	most := 0
	for _, n := range l.complete {
		if seen(n) {
			most = max(most, len(n.members))
		}
	}
	for _, n := range l.complete {
		switch {
		case most > 1 && 2*len(n.members) <= most && (n.of == nil || seen(n)):
			doubtful = append(doubtful, n)
		case n.of != nil:
			kin = append(kin, n.of)
		}
	}
	return kin, doubtful
}
