package candidates

import (
	"iter"
	"slices"
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

// containers are the elements of HTML that lists are made of, with what their
// items begin with and go on with.
var containers = map[atom.Atom]struct {
	form         Form
	first, later atom.Atom
}{
	atom.Ul: {Marked, atom.Li, 0}, atom.Ol: {Marked, atom.Li, 0}, atom.Menu: {Marked, atom.Li, 0},
	atom.Table: {Rows, atom.Tr, 0}, atom.Tbody: {Rows, atom.Tr, 0}, atom.Dl: {Terms, atom.Dt, atom.Dd},
}

// listsIn returns the lists whose items stand in a node.
func (p *Page) listsIn(i int) []List {
	n := &p.nodes[i]
	if c, ok := containers[n.el.DataAtom]; ok {
		l := List{Form: c.form, node: i, kind: p.kindOf(i)}
		for at, n := range p.below(i) {
			if n.is(c.first) {
				l.at = append(l.at, item{at, n.from, n.to})
			} else if n.is(c.later) && len(l.at) > 0 {
				l.at[len(l.at)-1].to = n.to
			}
		}
		if lists := usable(l); lists != nil {
			return lists
		}
	}
	if n.blocks == 0 && n.breaks > 0 && (page.IsBlock(n.el) || n.up >= 0 && p.nodes[n.up].blocks > 0) {
		return p.linesOf(i)
	}
	return p.alike(i)
}

// below yields the children of a node that have text.
func (p *Page) below(i int) iter.Seq2[int, *node] {
	return func(yield func(int, *node) bool) {
		for c := i + 1; c < p.nodes[i].end; c = p.nodes[c].end {
			p.meter.Step(1)
			if n := &p.nodes[c]; n.size() > 0 && !yield(c, n) {
				return
			}
		}
	}
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
	if len(l.at) == 0 || len(l.at) > maxItems || slices.ContainsFunc(l.at, func(it item) bool { return it.to-it.from > maxItemText }) {
		return nil
	}
	return []List{l}
}

// breakers end what is listed before them.
var breakers = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Hr}

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
	for c, n := range p.below(i) {
		if n.is(breakers...) || p.labelEnd(n.from) >= n.to-1 {
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
	return min(n.place.near[0], n.place.near[1]) < 2 || k >= 0 && n.from-p.labels[k].to < 3
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
	from := n.from
	for line := range strings.SplitSeq(p.text[n.from:n.to], "\n") {
		p.meter.Step(1)
		if p.labelEnd(from) >= 0 {
			flush()
		} else if line != "" {
			l.at = append(l.at, item{i, from, from + len(line)})
		}
		from += len(line) + 1
	}
	flush()
	return all
}
