package forest

import "math"

// A Grove is a forest made ready to be asked about many rows: each of its trees
// is filled up to the same depth, so that the way down needs no branches that a
// processor guesses wrong, and the rows of four go down at a time.
type Grove struct {
	base   float32
	depth  int
	trees  int
	asks   []ask     // of each tree 2^depth-1, the two below the i-th at 2i+1 and 2i+2
	leaves []float32 // of each tree 2^depth
}

type ask struct {
	feature int32
	value   float32
}

// NewGrove makes a forest ready.
func NewGrove(f *Forest) *Grove {
	g := &Grove{base: f.Base, trees: len(f.Trees)}
	for _, t := range f.Trees {
		g.depth = max(g.depth, depth(t, 0))
	}
	for _, t := range f.Trees {
		asks, leaves := make([]ask, 1<<g.depth-1), make([]float32, 1<<g.depth)
		fill(t, 0, 0, asks, leaves)
		g.asks, g.leaves = append(g.asks, asks...), append(g.leaves, leaves...)
	}
	return g
}

// Trees returns how many trees the grove has.
func (g *Grove) Trees() int { return g.trees }

func depth(t []Node, at int16) int {
	if t[at].Feature == Leaf {
		return 0
	}
	return 1 + max(depth(t, t[at].Left), depth(t, t[at].Right))
}

// fill copies the node at and what is below it to the place to. Below a leaf
// all ways lead to its value.
func fill(t []Node, at int16, to int, asks []ask, leaves []float32) {
	n := t[at]
	if to >= len(asks) {
		leaves[to-len(asks)] = n.Value
		return
	}
	left, right := n.Left, n.Right
	if n.Feature == Leaf {
		asks[to] = ask{0, float32(math.Inf(1))}
		left, right = at, at
	} else {
		asks[to] = ask{int32(n.Feature), n.Value}
	}
	fill(t, left, 2*to+1, asks, leaves)
	fill(t, right, 2*to+2, asks, leaves)
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
	asks, leaves := 1<<g.depth-1, 1<<g.depth
	for t := range g.trees {
		a, l := g.asks[t*asks:(t+1)*asks], g.leaves[t*leaves:(t+1)*leaves]
		i := 0
		for ; i+4 <= len(rows); i += 4 {
			g.four(a, l, rows[i:i+4], out[i:i+4])
		}
		for ; i < len(rows); i++ {
			at := 0
			for range g.depth {
				at = below(a, at, rows[i])
			}
			out[i] += l[at-asks]
		}
	}
}

// below returns the place one further down.
func below(a []ask, at int, row []float32) int {
	right := 0
	if q := &a[at]; row[q.feature] > q.value {
		right = 1
	}
	return 2*at + 1 + right
}

func (g *Grove) four(a []ask, l []float32, rows [][]float32, out []float32) {
	r0, r1, r2, r3 := rows[0], rows[1], rows[2], rows[3]
	a0, a1, a2, a3 := 0, 0, 0, 0
	for range g.depth {
		a0, a1, a2, a3 = below(a, a0, r0), below(a, a1, r1), below(a, a2, r2), below(a, a3, r3)
	}
	n := len(a)
	out[0] += l[a0-n]
	out[1] += l[a1-n]
	out[2] += l[a2-n]
	out[3] += l[a3-n]
}
