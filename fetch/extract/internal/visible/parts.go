package visible

import (
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// findParts finds the items of the page, and says of every node to which part
// it belongs.
func (r *reader) findParts() {
	r.sign()
	r.surveyTables()
	r.titleNode = r.onlyTitle()
	for i := range r.nodes {
		r.pass(i)
		n := &r.nodes[i]
		if n.up >= 0 {
			n.part = r.nodes[n.up].part
		}
		if n.is(isMember) {
			r.startItem(i)
		}
		if r.headingLevel(i) > 0 && !n.is(isAdvert) {
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
	e := &graph.Entity{Source: graph.Item, Element: n.el}
	v := r.thing(e, i)
	name := r.groupName(i)
	r.add(n.part, name, v)
	kind := r.tokens.noun(n.el)
	if kind != name {
		r.add(n.part, kind, v)
	}
	if n.up >= 0 {
		if list := r.tokens.noun(r.nodes[n.up].el); list != kind && list != name {
			r.add(n.part, list, v)
		}
	}
	if h := r.headingAbove(i, n.part); h >= 0 && n.part == 0 && r.nodes[h].level != 1 {
		r.under[h] = append(r.under[h], v)
	}
	if r.isShelved(n.part) {
		r.onShelf(n.part, name, v)
	}
	n.part = r.newPart(e, i, n.part)
}

// isShelved reports whether an item stands in another that is no more than a
// heading with a list: a shelf of the shop, a part of the menu.
func (r *reader) isShelved(part int) bool {
	return part > 0 && r.parts[part].entity.Source == graph.Item && r.parts[part].heading >= 0 && r.nodes[r.parts[part].node].is(hasHeading)
}

// onShelf gives an item of a shelf to the page, too: by the name of the shelf,
// and with those of the others; and to the shelf as one of its items.
func (r *reader) onShelf(part int, name string, v graph.Value) {
	r.add(part, "items", v)
	around := r.parts[part].around
	r.add(around, "items", v)
	if name != "items" {
		r.add(around, name, v)
		if shelf := r.parts[part].heading; shelf >= 0 {
			v.Entity.Add("category", r.value(shelf, graph.Section))
		}
	}
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
		if name := nameOf(r.textOf(h)); name != "" {
			return name
		}
	}
	for up, n := r.nodes[i].up, 0; up >= 0 && n < 2; up, n = r.nodes[up].up, n+1 {
		if name := nameOf(attr(r.nodes[up].el, "aria-label")); name != "" {
			return name
		}
	}
	return "items"
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
	for up, n := r.nodes[h].up, 0; up >= 0 && n < nearHeading; up, n = r.nodes[up].up, n+1 {
		if r.nodes[up].end > i {
			return h
		}
	}
	return -1
}

// onlyTitle returns the node of the first heading of the first level if the
// page has but one, else -1.
func (r *reader) onlyTitle() int {
	at := -1
	for i := range r.nodes {
		if r.nodes[i].level == 1 && r.nodes[i].from < r.nodes[i].to {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// underHeading is the level of a line in bold that stands for a heading.
const underHeading = 7

// headingLevel returns the level of a heading with words, or 0.
func (r *reader) headingLevel(i int) int {
	n := &r.nodes[i]
	if n.from == n.to || n.is(isText|inTable) {
		return 0
	}
	if n.level > 0 {
		return int(n.level)
	}
	if n.named(atom.B, atom.Strong) && r.isBoldLine(i) {
		return underHeading
	}
	return 0
}

// isBoldLine reports whether a text in bold is a block of its own and short.
func (r *reader) isBoldLine(i int) bool {
	n := &r.nodes[i]
	if n.to-n.from > maxName || n.lineEnd-n.line != 1 || n.up < 0 || r.nodes[n.up].level > 0 {
		return false
	}
	up := &r.nodes[n.up]
	l := r.lines[n.line]
	switch {
	case l.from != n.from || l.to != n.to || !up.named(atom.P, atom.Div, atom.Section, atom.Article):
		return false
	}
	last := r.text[n.to-1]
	return last != '.' && last != ',' && nameOf(r.text[n.from:n.to]) != ""
}
