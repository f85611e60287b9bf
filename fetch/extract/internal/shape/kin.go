package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/schema"
)

// kin is what the items of a list have in common.
type kin struct {
	source graph.Source
	types  []string
	fields []string // names that at least half of them have
}

// maxKin is how many items are looked at for what they have in common.
const maxKin = 50

// kinOf finds what items have in common; nil where there are none.
func (sh *shaper) kinOf(all []*graph.Entity) *kin {
	if len(all) == 0 {
		return nil
	}
	all = all[:min(len(all), maxKin)]
	k := &kin{source: all[0].Source, types: all[0].Types}
	counts := map[string]int{}
	for _, e := range all {
		sh.m.Step(1 + len(e.Fields))
		for i := range e.Fields {
			name := e.Fields[i].Name
			if counts[name]++; counts[name] == (len(all)+1)/2 {
				k.fields = append(k.fields, name)
			}
		}
	}
	return k
}

// has reports whether a thing is like the items: it has at least half of the names
// that they have.
func (k *kin) has(sh *shaper, e *graph.Entity) bool {
	if k == nil || e == nil || e.Source != k.source || len(k.types) > 0 && !e.Is(k.types...) {
		return false
	}
	shared := 0
	for _, name := range k.fields {
		sh.m.Step(1)
		if e.Get(name) != nil {
			shared++
		}
	}
	return shared*2 >= len(k.fields)
}

// made is an item of a list with the thing that it was made of, nil if it was
// made of a text.
type made struct {
	node   *node
	entity *graph.Entity
}

// hold keeps an item that misses something in the list until it is known
// whether it is like the others. It has what it is called, or half and more of
// what is required of it: a text that is two of its members is one.
func (l *list) hold(o *schema.Outline, n *node, f found) {
	if n.kind != object || l.v.prefix != nil || f.value.Kind != graph.Thing || len(l.node.items) >= l.sh.o.MaxItems {
		return
	}
	e, need := f.value.Entity, l.sh.view(o)
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
	if has > 0 && has*2 >= len(need.need) && (len(n.members) > 1 || !named) {
		l.halves = append(l.halves, e)
	}
	l.held = append(l.held, made{n, e})
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
	like := l.sh.kinOf(kin)
	out := map[*node]bool{}
	for _, m := range doubtful {
		out[m.node] = !like.has(l.sh, m.entity)
	}
	items := slices.DeleteFunc(l.node.items, func(n *node) bool { return out[n] })
	if l.v.most >= 0 {
		items = items[:min(len(items), l.v.most)]
	}
	l.node.items, l.node.filled = nil, 0
	for _, n := range items {
		l.node.push(n)
	}
}

// fullest parts the items that miss nothing: where little is required, things of
// the visible page that have no more than half of what the others have may be
// something else.
func (l *list) fullest() (kin []*graph.Entity, doubtful []made) {
	most := 0
	for _, m := range l.complete {
		if m.entity != nil && m.entity.Source == graph.Item {
			most = max(most, len(m.node.members))
		}
	}
	for _, m := range l.complete {
		switch {
		case most > 1 && 2*len(m.node.members) <= most && (m.entity == nil || m.entity.Source == graph.Item):
			doubtful = append(doubtful, m)
		case m.entity != nil:
			kin = append(kin, m.entity)
		}
	}
	return kin, doubtful
}
