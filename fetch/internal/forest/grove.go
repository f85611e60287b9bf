package forest

import "math"

// MaxDepth is how many questions a tree of a [Grove] asks of a row.
const MaxDepth = 5

// A Grove is a forest made ready to be asked about many rows: each of its trees
// is filled up to the same depth, so that the way down needs no branches that a
// processor guesses wrong, and the rows of four go down at a time.
type Grove struct {
	base  float32
	trees []filled
}

// size is the leaves of a filled tree, and one more than its asks, so that a
// mask keeps an index within.
const size = 1 << MaxDepth

// A filled tree has the two places below the i-th at 2i+1 and 2i+2.
type filled struct {
	asks   [size]ask
	leaves [size]float32
}

type ask struct {
	feature int32
	value   float32
}

// NewGrove makes a forest ready. It panics if a tree is deeper than MaxDepth.
func NewGrove(f *Forest) *Grove {
	g := &Grove{base: f.Base, trees: make([]filled, len(f.Trees))}
	for i, t := range f.Trees {
		g.trees[i].fill(t, 0, 0)
	}
	return g
}

// Trees returns how many trees the grove has.
func (g *Grove) Trees() int { return len(g.trees) }

// fill copies the node at and what is below it to the place to. Below a leaf
// all ways lead to its value.
func (f *filled) fill(t []Node, at int16, to int) {
	n := t[at]
	if to >= size-1 {
		if n.Feature != Leaf {
			panic("forest: a tree is too deep for a grove")
		}
		f.leaves[to-(size-1)] = n.Value
		return
	}
	left, right := n.Left, n.Right
	if n.Feature == Leaf {
		f.asks[to] = ask{0, float32(math.Inf(1))}
		left, right = at, at
	} else {
		f.asks[to] = ask{int32(n.Feature), n.Value}
	}
	f.fill(t, left, 2*to+1)
	f.fill(t, right, 2*to+2)
}

// atOnce is how many rows are asked about before the next ones: they should
// stay in the cache while all trees are asked.
const atOnce = 16

// Probabilities says for each row how likely it is. Row returns the i-th one.
func (g *Grove) Probabilities(n int, row func(i int) []float32) []float32 {
	out := make([]float32, n)
	var rows [atOnce][]float32
	for from := 0; from < n; from += atOnce {
		some := rows[:min(atOnce, n-from)]
		for i := range some {
			some[i] = row(from + i)
		}
		g.margins(some, out[from:from+len(some)])
	}
	for i := range out {
		out[i] = Logistic(out[i])
	}
	return out
}

func (g *Grove) margins(rows [][]float32, out []float32) {
	for i := range out {
		out[i] = g.base
	}
	for t := range g.trees {
		f := &g.trees[t]
		i := 0
		for ; i+4 <= len(rows); i += 4 {
			f.four(rows[i:i+4], out[i:i+4])
		}
		for ; i < len(rows); i++ {
			at := uint(0)
			for range MaxDepth {
				at = f.below(at, rows[i])
			}
			out[i] += f.leaf(at)
		}
	}
}

// below returns the place one further down.
func (f *filled) below(at uint, row []float32) uint {
	right := uint(0)
	if q := &f.asks[at%size]; row[q.feature] > q.value {
		right = 1
	}
	return 2*at + 1 + right
}

func (f *filled) leaf(at uint) float32 { return f.leaves[(at+1)%size] }

func (f *filled) four(rows [][]float32, out []float32) {
	_, _ = rows[3], out[3]
	r0, r1, r2, r3 := rows[0], rows[1], rows[2], rows[3]
	var a0, a1, a2, a3 uint
	for range MaxDepth {
		a0, a1, a2, a3 = f.below(a0, r0), f.below(a1, r1), f.below(a2, r2), f.below(a3, r3)
	}
	out[0] += f.leaf(a0)
	out[1] += f.leaf(a1)
	out[2] += f.leaf(a2)
	out[3] += f.leaf(a3)
}
