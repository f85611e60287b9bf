package visible

import (
	"math/bits"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sign gives every element the set of keys that are found a few levels below
// it.
func (r *reader) sign() {
	below := make([][3]uint64, len(r.nodes))
	for i := len(r.nodes) - 1; i >= 0; i-- {
		n := &r.nodes[i]
		r.Meter.Step(1)
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

// states are names in classes of single ones among many that are alike.
var states = setOf("first last odd even active selected current alt alternate open closed new sale sold sticky featured highlighted " +
	"clearfix cf left right collapsed expanded show in visible disabled promoted instock outofstock unread read hover start end even-row odd-row")

func isFormatting(n *html.Node) bool {
	switch n.DataAtom {
	case atom.B, atom.Strong, atom.I, atom.Em, atom.Br, atom.Wbr, atom.U, atom.Small, atom.Sub, atom.Sup, atom.Font, atom.Code:
		return true
	}
	return false
}

// alike returns those of the members that have most of what most have in them,
// and little else.
func (r *reader) alike(members []int) []int {
	r.Meter.Step(len(members))
	common := r.common(members)
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

// common returns what at least half of the members have in them.
func (r *reader) common(members []int) uint64 {
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
	return common
}

// overlap returns how much two nodes have in common of what is in them, in
// per cent.
func (r *reader) overlap(a, b int) int {
	x, y := r.nodes[a].kin, r.nodes[b].kin
	if x|y == 0 {
		return 0
	}
	return 100 * bits.OnesCount64(x&y) / bits.OnesCount64(x|y)
}
