package visible

import (
	"cmp"
	"slices"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// findParts finds the items of the page, and says of every node to which part
// it belongs.
func (r *reader) findParts() {
	r.sign()
	r.surveyTables()
	r.questionLines()
	for i, n := range r.all() {
		if n.up >= 0 {
			n.part = r.nodes[n.up].part
		}
		if n.is(isMember) {
			r.startItem(i)
		}
		if r.headingLevel(i) > 0 {
			r.parts[n.part].heading = i
		}
		if !n.is(isText|inTable) && n.end > i+2 {
			r.group(i)
		}
	}
}

// startItem makes an item an entity of the part around it.
func (r *reader) startItem(i int) {
	n := &r.nodes[i]
	if r.entities >= r.o.MaxEntities {
		n.flags &^= isMember
		return
	}
	name, kind, list := r.groupName(i), r.tokens.noun(n.el), ""
	if n.up >= 0 {
		list = r.tokens.noun(r.nodes[n.up].el)
	}
	around := n.part
	in, v := r.newThing(i, around, name, kind, list)
	if h := r.headingAbove(i, around); h >= 0 && around == 0 && r.nodes[h].level != 1 {
		r.under[h] = append(r.under[h], v)
	}
	if p := &r.parts[around]; around > 0 && p.entity.Source == graph.Item && p.heading >= 0 && r.nodes[p.node].is(hasHeading) {
		r.onShelf(p, around, name, v)
	}
	n.part = in
}

// onShelf gives an item of what is no more than a heading with a list, a shelf
// of the shop or a part of the menu, to the page, too: by the name of the shelf,
// and with those of the others; and to the shelf as one of its items.
func (r *reader) onShelf(shelf *part, in int, name string, v graph.Value) {
	r.add(in, "items", v)
	r.add(shelf.around, "items", v)
	if name != "items" {
		r.add(shelf.around, name, v)
		v.Entity.Add("category", r.value(shelf.heading, graph.Section))
	}
}

// newThing makes what node i says an item of a part, by some names, and returns
// its own part.
func (r *reader) newThing(i, around int, names ...string) (int, graph.Value) {
	v := r.thing(&graph.Entity{Source: graph.Item, Element: r.elementOf(i)}, i)
	v.Element = v.Entity.Element
	for k, name := range names {
		if !slices.Contains(names[:k], name) {
			r.add(around, name, v)
		}
	}
	return r.newPart(v.Entity, i, around), v
}

// newPart counts an entity, whose values are found in node.
func (r *reader) newPart(e *graph.Entity, node, around int) int {
	r.entities++
	r.parts = append(r.parts, part{entity: e, node: node, around: around, heading: -1, title: -1})
	return len(r.parts) - 1
}

// groupName returns the name of the items of which node i is one: the heading
// above, what the page calls the list, or "items".
func (r *reader) groupName(i int) string {
	if h := r.headingAbove(i, r.nodes[i].part); h >= 0 {
		if name := mention.Label(r.textOf(h)); name != "" {
			return name
		}
	}
	name := ""
	r.around(i, 2, func(up *node) bool {
		name = mention.Label(attr(up.el, "aria-label"))
		return name != ""
	})
	return cmp.Or(name, "items")
}

// nearHeading is how many levels above a heading are looked through for what
// it is the heading of.
const nearHeading = 4

// headingAbove returns the last heading of the part before node i, if the two
// are near, or -1.
func (r *reader) headingAbove(i, part int) int {
	h := r.parts[part].heading
	if h < 0 || r.nodes[h].flags&isAside != r.nodes[i].flags&isAside {
		return -1
	}
	if r.around(h, nearHeading, func(up *node) bool { return up.end > i }) < 0 {
		return -1
	}
	return h
}

// around returns the nearest of so many elements around a node that is one of a
// kind, or -1.
func (r *reader) around(i, levels int, is func(*node) bool) int {
	for i = r.nodes[i].up; i >= 0 && levels > 0; i, levels = r.nodes[i].up, levels-1 {
		if is(&r.nodes[i]) {
			return i
		}
	}
	return -1
}

// titles finds the first heading of the first level, and whether the page has
// but one.
func (r *reader) titles() {
	r.heading, r.titleNode = -1, -1
	for i, n := range r.all() {
		if n.level != 1 || n.from == n.to {
			continue
		}
		if r.heading >= 0 {
			r.titleNode = -1
			return
		}
		r.heading, r.titleNode = i, i
	}
}

// underHeading is the level of a line in bold, or a question, that stands for a
// heading.
const underHeading = 7

// headingLevel returns the level of a heading with words, or 0.
func (r *reader) headingLevel(i int) int {
	n := &r.nodes[i]
	switch {
	case n.is(isQuestion):
		return underHeading
	case n.from == n.to || n.is(isText|inTable):
		return 0
	case n.level == 0 && (n.named(atom.B, atom.Strong) && r.isBoldLine(i) || r.isFold(n)):
		return underHeading
	}
	return int(n.level)
}

// isBoldLine reports whether a text in bold is a block of its own and short.
func (r *reader) isBoldLine(i int) bool {
	n := &r.nodes[i]
	if n.to-n.from > maxName || n.lineEnd-n.line != 1 || n.up < 0 {
		return false
	}
	up, l, last := &r.nodes[n.up], r.lines[n.line], r.text[n.to-1]
	return l.from == n.from && l.to == n.to && up.named(atom.P, atom.Div, atom.Section, atom.Article) && up.level == 0 &&
		last != '.' && last != ',' && mention.Label(r.text[n.from:n.to]) != ""
}
