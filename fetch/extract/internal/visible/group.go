package visible

import (
	"strings"

	"golang.org/x/net/html"
)

// group looks for children of node p that are built alike, and marks them.
func (r *reader) group(p int) {
	var found groups
	for c := p + 1; c < r.nodes[p].end; c = r.nodes[c].end {
		r.Meter.Step(1)
		n := &r.nodes[c]
		if n.is(isText) {
			if len(found.all) == 0 || n.to-n.from > 20 {
				return // a text with elements in it
			}
			continue
		}
		if n.from < n.to || n.is(hasImage) {
			found.add(n.key, c)
		}
	}
	for _, members := range found.all {
		if len(members) > 1 && r.mayRepeat(members[0]) {
			r.repeated(p, members)
		}
	}
}

// groups collects nodes by their keys, in order.
type groups struct {
	keys  []uint64
	all   [][]int
	index map[uint64]int // once there are many
}

func (g *groups) add(key uint64, node int) {
	i := g.find(key)
	if i < 0 {
		i = len(g.keys)
		g.keys = append(g.keys, key)
		g.all = append(g.all, nil)
		if g.index != nil {
			g.index[key] = i
		}
	}
	g.all[i] = append(g.all[i], node)
}

func (g *groups) find(key uint64) int {
	if len(g.keys) > 8 && g.index == nil {
		g.index = make(map[uint64]int, 2*len(g.keys))
		for i, k := range g.keys {
			g.index[k] = i
		}
	}
	if g.index != nil {
		if i, ok := g.index[key]; ok {
			return i
		}
		return -1
	}
	for i, k := range g.keys {
		if k == key {
			return i
		}
	}
	return -1
}

// repeated decides what elements with the same key are: items, labels with
// their values, rows of items, or nothing of the kind.
func (r *reader) repeated(p int, members []int) {
	members = r.alike(members)
	if len(members) < 2 || !r.areItems(members) || r.haveNames(members) {
		return
	}
	if cells := r.cellsOf(members); cells != nil {
		members = cells
	}
	pairs := 0
	for _, m := range members {
		if r.isPair(m) {
			pairs++
		}
	}
	if 3*pairs >= 2*len(members) {
		r.nodes[p].flags |= hasItems
		r.pairs = append(r.pairs, members...)
		if r.saysLabel(members[0]) {
			return
		}
	}
	r.mark(p, members)
}

// cellsOf returns the children of the members where these are rows of what is
// alike, such as cards, and nil where they are not.
func (r *reader) cellsOf(rows []int) []int {
	var cells []int
	most := 0
	key := uint64(0)
	for _, row := range rows {
		before := len(cells)
		for c := row + 1; c < r.nodes[row].end; c = r.nodes[c].end {
			r.Meter.Step(1)
			n := &r.nodes[c]
			if n.is(isText) || key != 0 && n.key != key || !r.mayRepeat(c) || !r.isRich(c) {
				return nil
			}
			key = n.key
			cells = append(cells, c)
		}
		most = max(most, len(cells)-before)
	}
	if most < 2 {
		return nil
	}
	count := len(cells)
	if cells = r.alike(cells); 5*len(cells) < 4*count {
		return nil
	}
	return cells
}

// mark makes all of the members items, if most of them hold more than a text.
func (r *reader) mark(p int, members []int) {
	members = r.afterHeading(members)
	rich := 0
	for _, m := range members {
		if r.isRich(m) && !r.isSection(m) {
			rich++
		}
	}
	if 3*rich < 2*len(members) {
		return
	}
	r.nodes[p].flags |= hasItems
	for _, m := range members {
		if isAd(r.nodes[m].el) {
			r.putAside(m)
			continue
		}
		if r.nodes[m].from < r.nodes[m].to {
			r.nodes[m].flags |= isMember
		}
	}
}

// afterHeading returns the members without the first one if it holds nothing but
// a heading, and the others none: it is the heading of the list.
func (r *reader) afterHeading(members []int) []int {
	first := &r.nodes[members[0]]
	if len(members) < 3 || !first.is(hasHeading) || first.is(hasLink|hasImage) || first.lineEnd-first.line > 1 ||
		r.nodes[members[1]].is(hasHeading) || r.nodes[members[2]].is(hasHeading) {
		return members
	}
	return members[1:]
}

var adNames = setOf("ad ads advert advertisement sponsored adslot ad-slot ad-unit")

// putAside makes an element one that stands beside the main part, and its
// headings none of what follows.
func (r *reader) putAside(i int) {
	if r.nodes[i].is(isAdvert) {
		return // with what is around it
	}
	for c := i; c < r.nodes[i].end; c++ {
		r.Meter.Step(1)
		r.nodes[c].flags |= isAside | isAdvert
	}
}

// isAd reports whether an element says that it is an advertisement.
func isAd(n *html.Node) bool {
	for name := range strings.FieldsSeq(cut(attr(n, "class"), maxNames)) {
		if adNames[strings.ToLower(name)] {
			return true
		}
	}
	return false
}
