package visible

import (
	"math/bits"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// sign gives every element the set of keys that are found a few levels below
// it.
func (r *reader) sign() {
	below := make([][3]uint64, len(r.nodes))
	for i := len(r.nodes) - 1; i >= 0; i-- {
		n := &r.nodes[i]
		r.pass(i)
		if n.is(isText) {
			continue
		}
		b := &below[i]
		n.kin = b[0] | b[1] | b[2]
		if n.up < 0 || n.from == n.to && !n.is(hasImage) {
			continue
		}
		up := &below[n.up]
		if !isFormatting(n.el) {
			up[0] |= 1 << (n.key >> 58)
		}
		up[1] |= b[0]
		up[2] |= b[1]
	}
}

func isFormatting(n *html.Node) bool {
	return tree.Is(n, atom.B, atom.Strong, atom.I, atom.Em, atom.Br, atom.Wbr, atom.U, atom.Small, atom.Sub, atom.Sup, atom.Font, atom.Code)
}

// group looks for children of node p that are built alike, and marks them.
func (r *reader) group(p int) {
	if first := p + 1; first >= r.nodes[p].end || r.nodes[first].end >= r.nodes[p].end {
		return // not two
	}
	var found [][]int
	seen := map[uint64]int{}
	for c, n := range r.below(p) {
		if n.is(isText) {
			if len(found) == 0 || n.to-n.from > 20 {
				return // a text with elements in it
			}
			continue
		}
		if n.from == n.to && !n.is(hasImage) {
			continue
		}
		at, ok := seen[n.key]
		if !ok {
			at = len(found)
			seen[n.key] = at
			found = append(found, nil)
		}
		found[at] = append(found[at], c)
	}
	for _, members := range found {
		if len(members) > 1 && r.mayRepeat(members[0]) {
			r.repeated(p, members)
		}
	}
}

// repeated decides what elements with the same key are: items, labels with
// their values, rows of items, or nothing of the kind.
func (r *reader) repeated(p int, members []int) {
	members = r.alike(members)
	if !r.areItems(members) {
		return
	}
	if cells := r.cellsOf(members); cells != nil {
		members = cells
	}
	pairs, rich := 0, 0
	for _, m := range members {
		if r.isPair(m) {
			pairs++
		}
		if r.isRich(m) && !r.isSection(m) {
			rich++
		}
	}
	if 3*pairs >= 2*len(members) {
		r.nodes[p].flags |= hasItems
		r.pairs = append(r.pairs, members...)
		if r.saysLabel(members[0]) {
			return
		}
	}
	if 3*rich >= 2*len(members) {
		r.nodes[p].flags |= hasItems
		r.mark(members)
	}
}

// mark makes the members items. An advertisement among them is none, and stands
// beside the main part.
func (r *reader) mark(members []int) {
	for _, m := range members {
		switch n := &r.nodes[m]; {
		case n.is(saysAdvert) && !n.is(isAside):
			for c := m; c < n.end; c++ {
				r.Meter.Step(1)
				r.nodes[c].flags |= isAside
			}
		case !n.is(saysAdvert) && n.from < n.to:
			n.flags |= isMember
		}
	}
}

// alike returns those of the members that have most of what most have in them,
// and little else.
func (r *reader) alike(members []int) []int {
	r.Meter.Step(len(members))
	var count [64]int
	for _, m := range members {
		for kin := r.nodes[m].kin; kin != 0; kin &= kin - 1 {
			count[bits.TrailingZeros64(kin)]++
		}
	}
	var common uint64
	for b, n := range count {
		if 2*n >= len(members) {
			common |= 1 << b
		}
	}
	kept := members[:0]
	for _, m := range members {
		kin := r.nodes[m].kin
		has, other := bits.OnesCount64(kin&common), bits.OnesCount64(kin&^common)
		if 2*has >= bits.OnesCount64(common) && (other <= 2 || other <= 2*has) {
			kept = append(kept, m)
		}
	}
	return kept
}

// cellsOf returns the children of the members where these are rows of what is
// alike, such as cards, and nil where they are not.
func (r *reader) cellsOf(rows []int) []int {
	var cells []int
	for _, row := range rows {
		for c, n := range r.below(row) {
			if n.is(isText) || len(cells) > 0 && n.key != r.nodes[cells[0]].key || !r.mayRepeat(c) || !r.isRich(c) {
				return nil
			}
			cells = append(cells, c)
		}
	}
	count := len(cells)
	if count <= len(rows) {
		return nil
	}
	if cells = r.alike(cells); 5*len(cells) < 4*count {
		return nil
	}
	return cells
}

// overlap returns how much two nodes have in common of what is in them, in
// per cent.
func (r *reader) overlap(a, b int) int {
	x, y := r.nodes[a].kin, r.nodes[b].kin
	return 100 * bits.OnesCount64(x&y) / max(1, bits.OnesCount64(x|y))
}
