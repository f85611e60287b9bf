package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/schema"
)

// list is an array that is being made.
type list struct {
	sh    *shaper
	p     *prop
	v     *view
	node  *node
	known map[any]found // scalars that are in it, and where each stood first
	depth int
	whole bool // an item that misses something has to be like the others

	lenient  bool            // all items may miss something
	things   int             // that were looked at
	complete []made          // the items that miss nothing
	halves   []*graph.Entity // of those that have half of what is required
	held     []made          // the items that miss something
}

func (sh *shaper) newList(p *prop, v *view) *list {
	return &list{sh: sh, p: p, v: v, node: &node{kind: array}, known: map[any]found{}, lenient: sh.lenient == p}
}

// listOf makes a list of the values of a field; nil if there is none.
func (sh *shaper) listOf(c candidate, p *prop, v *view) *node {
	return sh.listFrom(c, sh.newList(p, v))
}

func (sh *shaper) listFrom(c candidate, l *list) *node {
	// What people see has few names: an item that misses something is another
	// thing.
	l.whole = l.whole || c.entity.Source >= graph.Table
	own := l.p.is("image") && slices.ContainsFunc(c.field.Values, func(v graph.Value) bool { return !v.Aside })
	for i := range c.field.Values {
		if own && c.field.Values[i].Aside {
			continue // a logo, the cards of payment
		}
		if f := (found{c.entity, c.field.Name, c.field.Values[i]}); !sh.isDoubtful(l.p, f) && !l.isSaidTwice(c.field, i) {
			l.value(f)
		}
	}
	return l.result()
}

func (l *list) result() *node {
	l.sift()
	l.dashes()
	if len(l.node.items) == 0 {
		return nil
	}
	l.uncounted()
	return l.node
}

// full reports whether the list may have no more items.
func (l *list) full() bool {
	n := len(l.node.items) - len(l.held)
	return n >= l.sh.o.MaxItems || l.v.most >= 0 && n >= l.v.most || l.itemSchema() == nil && l.v.prefix != nil
}

// itemSchema is the schema of the next item, nil for any.
func (l *list) itemSchema() *schema.Outline {
	if n := len(l.node.items); n < len(l.v.prefix) {
		return l.v.prefix[n]
	}
	return l.v.items
}

// value adds what a value holds: the items of a list, the lines of a text, or
// itself.
func (l *list) value(f found) {
	l.sh.m.Step(1)
	if l.full() || l.depth > maxAround {
		return
	}
	l.heading(f)
	if inner := l.listed(f); inner != nil {
		l.depth++
		for i := range inner.Values {
			l.value(found{f.value.Entity, inner.Name, inner.Values[i]})
		}
		l.depth--
		return
	}
	for _, part := range l.parts(f) {
		if l.p.is("recipeInstructions", "step") && part.value.Kind == graph.Text && (l.isNoStep(part.value.Text) || part.entity.Source == graph.State && isSetting(part.value.Text)) {
			continue
		}
		if l.full() {
			return
		}
		l.item(part)
	}
}

// item adds one item, if it can be made.
func (l *list) item(f found) {
	o := l.itemSchema()
	n := l.sh.itemOf(o, l.p, f)
	if f.value.Kind == graph.Thing {
		l.things++
	}
	if n == nil {
		return
	}
	if n.kind == scalar {
		first, known := l.known[n.value]
		if known && !l.repeats(first, f) {
			return
		}
		l.known[n.value] = f
	}
	switch {
	case o == nil || l.sh.passes(o, n):
		l.node.push(n)
		l.complete = append(l.complete, made{n, f.value.Entity})
	case !l.whole && n.kind != scalar && l.sh.halfThere(o, n):
		l.node.push(n)
	default:
		l.hold(o, n, f)
	}
}

// itemOf makes an item of a value.
func (sh *shaper) itemOf(o *schema.Outline, p *prop, f found) *node {
	if o == nil {
		return sh.scalar(p, &anything, f, 0)
	}
	for _, v := range sh.variants(sh.view(o)) {
		if v.may(typeObject) && v.typed {
			if n := sh.objectOf(f, v, scope{depth: 1}); n != nil {
				return n
			}
		}
		if v.may(scalarTypes) {
			if n := sh.scalar(p, v, f, 0); n != nil {
				return n
			}
		}
	}
	return nil
}

var anything = view{most: -1}

// halfThere reports whether an item has at least half of what is required of
// it: then it is one, and what it misses is said.
func (sh *shaper) halfThere(o *schema.Outline, n *node) bool {
	v := sh.view(o)
	has := 0
	for _, m := range n.members {
		if slices.Contains(v.need, m.name) {
			has++
		}
	}
	return n.kind == object && has*2 >= len(v.need)
}
