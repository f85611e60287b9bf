package shape

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/schema"
)

// kin is what the items of a list have in common.
type kin struct {
	source  graph.Source
	types   []string
	tag     string
	first   string   // the tag of the first element in them
	classes []string // of their elements, those of all
	fields  []string // names that at least half of them have
}

// maxKin is how many items are looked at for what they have in common.
const maxKin = 50

// kinOf finds what items have in common; nil where there are none.
func (sh *shaper) kinOf(all []*graph.Entity) *kin {
	if len(all) == 0 {
		return nil
	}
	all = all[:min(len(all), maxKin)]
	head := all[0]
	k := &kin{source: head.Source, types: head.Types, tag: tagOf(head.Element), first: tagOf(firstIn(head.Element)), classes: classesOf(head.Element)}
	counts := map[string]int{}
	for _, e := range all {
		sh.m.Step(1 + len(e.Fields))
		own := classesOf(e.Element)
		k.classes = slices.DeleteFunc(k.classes, func(c string) bool { return !slices.Contains(own, c) })
		for i := range e.Fields {
			name := e.Fields[i].Name
			if counts[name]++; counts[name]*2 >= len(all) && !slices.Contains(k.fields, name) {
				k.fields = append(k.fields, name)
			}
		}
	}
	return k
}

// has reports whether a thing is like the items: it is built as they are, and
// has at least half of the names that they have.
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
	if k.source <= graph.State || k.source == graph.Table {
		return shared*2 >= len(k.fields)
	}
	own := classesOf(e.Element)
	if tagOf(e.Element) != k.tag || k.isPromoted(own) {
		return false
	}
	return shared*2 > len(k.fields) || shared*2 == len(k.fields) && (len(k.classes) > 0 || tagOf(firstIn(e.Element)) == k.first)
}

// promoted are words in the classes of what was paid for, or leads on.
var promoted = wordSet("ad ads advert advertisement adslot sponsored sponsor promo promoted promotion banner next prev previous more pagination pager cta newsletter")

// isPromoted reports whether classes that the items do not have say that a
// thing is none of them.
func (k *kin) isPromoted(own []string) bool {
	return slices.ContainsFunc(own, func(c string) bool {
		return !slices.Contains(k.classes, c) && slices.ContainsFunc(strings.FieldsFunc(c, func(r rune) bool { return r == '-' || r == '_' }), func(w string) bool { return promoted[w] })
	})
}

// maxClasses is how much of a class attribute is compared, in bytes.
const maxClasses = 1000

func classesOf(n *html.Node) []string {
	if n == nil {
		return nil
	}
	class := tree.AttrOr(n, "class")
	return strings.Fields(strings.ToLower(class[:min(len(class), maxClasses)]))
}

func tagOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	return n.Data
}

func firstIn(n *html.Node) *html.Node {
	if n == nil {
		return nil
	}
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
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
	half := has > 0 && has*2 >= len(need.need)
	if !named && has*2 <= len(need.need) && !(half && l.lenient) && e.Source != graph.Table {
		return
	}
	if half && (len(n.members) > 1 || !named) {
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
