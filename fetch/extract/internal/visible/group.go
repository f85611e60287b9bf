package visible

import (
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"
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

// mayRepeat reports whether an element is one of those that items are made of.
func (r *reader) mayRepeat(i int) bool {
	n := &r.nodes[i]
	switch n.el.DataAtom {
	case atom.Dl, atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Td, atom.Th, atom.Option, atom.Dt, atom.Dd,
		atom.Br, atom.Hr, atom.Img, atom.Picture, atom.Tbody, atom.Thead, atom.Table, atom.Button, atom.Input, atom.Label, atom.Pre, atom.Select:
		return false
	case atom.Ul, atom.Ol:
		return n.is(hasImage | hasHeading | hasLink)
	case atom.A, atom.Span:
		return n.lineEnd-n.line > 1 || n.is(hasHeading)
	}
	return !isFormatting(n.el) && !n.is(inTable) && (n.up < 0 || !r.nodes[n.up].named(atom.Dl))
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

// isSection reports whether an element is a heading with a list of texts: a part
// of what is above it, such as the ingredients of a sauce, and no item.
func (r *reader) isSection(i int) bool {
	n := &r.nodes[i]
	if !n.is(hasHeading) || n.is(hasLink|hasTable) || n.lineEnd-n.line < 3 {
		return false
	}
	texts := 0
	for c := i + 1; c < n.end; c++ {
		r.Meter.Step(1)
		switch t := &r.nodes[c]; {
		case t.named(atom.Ul, atom.Ol):
			c = t.end - 1
		case t.level > 0:
			if c = t.end - 1; texts > 0 {
				return false
			}
			texts++
		case t.is(isText):
			return false
		}
	}
	return texts == 1
}

// areItems reports whether elements that are alike can be items: not the
// columns of the page, of which one holds its title or most of its text.
func (r *reader) areItems(members []int) bool {
	most := len(r.text) / 2
	for _, m := range members {
		n := &r.nodes[m]
		if m < r.titleNode && r.titleNode < n.end || len(members) < 4 && n.to-n.from > most && most > 400 {
			return false
		}
	}
	if len(members) > 2 {
		return true
	}
	first := &r.nodes[members[0]]
	return first.named(atom.Li, atom.Article, atom.Details) || r.overlap(members[0], members[1]) >= 60
}

// haveNames reports whether the elements are different parts of the page and
// no items: most have an id of their own that begins with another word, and in
// few is the same as in the one before.
func (r *reader) haveNames(members []int) bool {
	seen, same := map[string]bool{}, 0
	for i, m := range members {
		if id := firstWord(attr(r.nodes[m].el, "id")); id != "" {
			seen[id] = true
		}
		if i > 0 && r.overlap(members[i-1], m) >= 60 {
			same++
		}
	}
	return len(seen) > 1 && 3*len(seen) >= 2*len(members) && 2*same < len(members)
}

// firstWord returns the letters that a name begins with.
func firstWord(name string) string {
	if end := strings.IndexFunc(name, func(c rune) bool { return !unicode.IsLetter(c) }); end >= 0 {
		return name[:end]
	}
	return name
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

// isRich reports whether an element holds more than a text: a heading, an
// image, a link, or lines of several kinds.
func (r *reader) isRich(i int) bool {
	n := &r.nodes[i]
	if n.from == n.to {
		return false
	}
	if n.is(hasImage|hasHeading) || n.lineEnd-n.line > 1 && (n.is(hasLink) || n.kin&(n.kin-1) != 0 || r.isPair(i)) {
		return true
	}
	return n.is(hasLink) && (!n.is(isAside) && !r.inProse(i))
}

// inProse reports whether a line is a sentence in which a link stands: it
// begins with other words, and is long.
func (r *reader) inProse(i int) bool {
	n := &r.nodes[i]
	link := r.firstLink(i)
	return link < 0 || r.nodes[link].from > n.from+4 && n.to-n.from > 4*(r.nodes[link].to-r.nodes[link].from)
}

// firstLink returns the first link with words in node i, or i itself, or -1.
func (r *reader) firstLink(i int) int {
	for c := i; c < r.nodes[i].end && c < i+maxLook; c++ {
		r.Meter.Step(1)
		if n := &r.nodes[c]; n.named(atom.A) && n.from < n.to {
			return c
		}
	}
	return -1
}

// maxLook is how many nodes are looked through for one of a kind.
const maxLook = 64
