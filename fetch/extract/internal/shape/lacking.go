package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/schema"
)

// made is an item of a list with the thing that it was made of, nil if it was
// made of a text.
type made struct {
	node   *node
	entity *graph.Entity
}

// hold keeps an item that misses something in the list until it is known
// whether it is like the others.
func (l *list) hold(o *schema.Outline, n *node, f found) {
	if n.kind != object || l.v.prefix != nil || f.value.Kind != graph.Thing || len(l.node.items) >= l.sh.o.MaxItems {
		return
	}
	named, half, most := l.sh.howMuch(o, n)
	if !named && !most && !(half && l.lenient) && f.value.Entity.Source != graph.Table {
		return
	}
	if half && (len(n.members) > 1 || !named) {
		l.halves = append(l.halves, f.value.Entity)
	}
	l.held = append(l.held, made{n, f.value.Entity})
	l.node.push(n)
}

// howMuch reports whether an item has what it is called, and half or more of
// what is required of it. A text that is two of its members is one.
func (sh *shaper) howMuch(o *schema.Outline, n *node) (named, half, most bool) {
	v := sh.view(o)
	has := 0
	said := map[string]bool{}
	for _, p := range v.props {
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
	return named, has > 0 && has*2 >= len(v.need), has*2 > len(v.need)
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
		if !like.has(l.sh, m.entity) {
			out[m.node] = true
		}
	}
	items := slices.DeleteFunc(l.node.items, func(n *node) bool { return out[n] })
	if l.v.most >= 0 && len(items) > l.v.most {
		items = items[:l.v.most]
	}
	l.node.items, l.node.filled = nil, 0
	for _, n := range items {
		l.node.push(n)
	}
}

// fullest parts the items that miss nothing: where little is required, those of
// the visible page that have no more than half of what the others have may be
// something else.
func (l *list) fullest() (kin []*graph.Entity, doubtful []made) {
	most := 0
	for _, m := range l.complete {
		if isShown(m.entity) {
			most = max(most, len(m.node.members))
		}
	}
	for _, m := range l.complete {
		switch {
		case most > 1 && 2*len(m.node.members) <= most && (m.entity == nil || isShown(m.entity)):
			doubtful = append(doubtful, m)
		case m.entity != nil:
			kin = append(kin, m.entity)
		}
	}
	return kin, doubtful
}

// isShown reports whether a thing is one of several of the visible page.
func isShown(e *graph.Entity) bool { return e != nil && e.Source == graph.Item }
