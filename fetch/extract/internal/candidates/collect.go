package candidates

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// collect finds the lists of the page, those around others first.
func (p *Page) collect() {
	nested := make([]uint8, len(p.nodes)) // in how many lists each node is
	for i := range p.nodes {
		n := &p.nodes[i]
		p.meter.Step(1)
		if n.up >= 0 {
			nested[i] += nested[n.up]
		}
		if n.size() == 0 || nested[i] >= maxNested || len(p.lists) >= maxLists {
			continue
		}
		for _, l := range p.listsIn(i) {
			for _, it := range l.at {
				if it.node != i {
					nested[it.node] = max(nested[it.node], 1)
				}
			}
			l.head = p.labelBefore(l.at[0].from)
			p.lists = append(p.lists, l)
		}
	}
}

// listsIn returns the lists whose items stand in a node.
func (p *Page) listsIn(i int) []List {
	n := &p.nodes[i]
	switch {
	case n.is(atom.Ul, atom.Ol, atom.Menu):
		if l := p.below(i, Marked, atom.Li); l != nil {
			return l
		}
	case n.is(atom.Table, atom.Tbody):
		if l := p.below(i, Rows, atom.Tr); l != nil {
			return l
		}
	case n.is(atom.Dl):
		if l := p.terms(i); l != nil {
			return l
		}
	}
	if n.blocks == 0 {
		if n.breaks > 0 && (page.IsBlock(n.el) || n.up >= 0 && p.nodes[n.up].blocks > 0) {
			return p.linesOf(i)
		}
		return p.alike(i)
	}
	return p.alike(i)
}

// below makes a list of the children with a name.
func (p *Page) below(i int, form Form, name atom.Atom) []List {
	l := List{Form: form, node: i, kind: p.kindOf(i)}
	for c := i + 1; c < p.nodes[i].end; c = p.nodes[c].end {
		p.meter.Step(1)
		if n := &p.nodes[c]; n.size() > 0 && n.is(name) {
			l.at = append(l.at, item{c, n.from, n.to})
		}
	}
	return usable(l)
}

// kindOf returns what lists that belong together have in common: how they, and what is
// around them, are built.
func (p *Page) kindOf(i int) string {
	n := &p.nodes[i]
	if n.up < 0 {
		return n.class
	}
	return p.nodes[n.up].class + ">" + n.class
}

// usable returns the list if it has items, and none that is too long.
func usable(l List) []List {
	if len(l.at) == 0 || len(l.at) > maxItems {
		return nil
	}
	for _, it := range l.at {
		if it.to-it.from > maxItemText {
			return nil
		}
	}
	return []List{l}
}

// terms makes a list of the terms of a definition list, each with what is said
// of it.
func (p *Page) terms(i int) []List {
	l := List{Form: Terms, node: i, kind: p.kindOf(i)}
	for c := i + 1; c < p.nodes[i].end; c = p.nodes[c].end {
		p.meter.Step(1)
		switch n := &p.nodes[c]; {
		case n.size() == 0:
		case n.is(atom.Dt):
			l.at = append(l.at, item{c, n.from, n.to})
		case n.is(atom.Dd) && len(l.at) > 0:
			l.at[len(l.at)-1].to = n.to
		}
	}
	return usable(l)
}

// breakers end what is listed before them.
func (n *node) isBreaker() bool {
	return n.is(atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Hr)
}

// alike makes lists of the children that are built alike, from one label to the
// next.
func (p *Page) alike(i int) (all []List) {
	runs := map[string]int{}
	from := 0
	flush := func() {
		kept := all[:from]
		for _, l := range all[from:] {
			if p.isRun(&l) {
				kept = append(kept, usable(l)...)
			}
		}
		all, from = kept, len(kept)
		clear(runs)
	}
	for c := i + 1; c < p.nodes[i].end; c = p.nodes[c].end {
		p.meter.Step(1)
		n := &p.nodes[c]
		if n.size() == 0 {
			continue
		}
		if k := p.labelAt(n.from); n.isBreaker() || k >= 0 && p.labels[k].to >= n.to-1 {
			flush()
			continue
		}
		at, ok := runs[n.class]
		if !ok {
			at = len(all)
			runs[n.class] = at
			all = append(all, List{Form: Alike, node: i, kind: p.nodes[i].class + ">" + n.class})
		}
		all[at].at = append(all[at].at, item{c, n.from, n.to})
	}
	flush()
	return all
}

// isRun reports whether children that are alike make a list: one that is alone
// has to be told of.
func (p *Page) isRun(l *List) bool {
	n := &p.nodes[l.at[0].node]
	if !page.IsBlock(n.el) {
		return len(l.at) > 2 && strings.Contains(n.class, ".")
	}
	if len(l.at) > 1 {
		return true
	}
	if n.blocks > 0 || n.breaks > 1 {
		return false
	}
	k := p.labelBefore(n.from)
	return min(n.place.ingredients, n.place.instructions) < 2 || k >= 0 && n.from-p.labels[k].to < 3
}

// linesOf makes lists of the lines of a node, from one label to the next.
func (p *Page) linesOf(i int) (all []List) {
	n := &p.nodes[i]
	l := List{Form: Lines, node: i, kind: p.kindOf(i)}
	flush := func() {
		if len(l.at) > 1 {
			all = append(all, usable(l)...)
		}
		l.at = nil
	}
	for from := n.from; from < n.to; {
		to := n.to
		if at := strings.IndexByte(p.text[from:n.to], '\n'); at >= 0 {
			to = from + at
		}
		p.meter.Step(1)
		if k := p.labelAt(from); k >= 0 {
			flush()
		} else if to > from {
			l.at = append(l.at, item{i, from, to})
		}
		from = to + 1
	}
	flush()
	return all
}
