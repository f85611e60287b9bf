package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/drover-go/drover/fetch/maincontent/internal/forest"
)

// settings are how a forest is grown.
type settings struct {
	trees    int
	depth    int
	rate     float64
	sample   float64 // share of the rows that a tree sees
	features float64 // share of the features that a tree sees
	lambda   float64 // what is added to the weight of a leaf
	minimum  float64 // weight below which a leaf is not split off
	seed     uint64
}

// A table is what a forest is grown from: rows one after the other, what they
// should give (from 0 to 1) and how much they count.
type table struct {
	width  int
	values []float32
	want   []float32
	weight []float32
}

func (t *table) rows() int { return len(t.want) }

const bins = 64

// grower grows one forest by gradient boosting over histograms.
type grower struct {
	settings
	*table
	edges  [][]float32 // of each feature, ascending
	binned [][]uint8   // of each feature, by row
	margin []float64
	grad   []float32
	hess   []float32
	random *rand.Rand
}

func fit(t *table, s settings) *forest.Forest {
	g := &grower{settings: s, table: t, random: rand.New(rand.NewPCG(s.seed, 1))}
	g.bin()
	base := g.start()
	f := &forest.Forest{Base: float32(base)}
	for range s.trees {
		f.Trees = append(f.Trees, g.tree())
	}
	return f
}

// start sets every margin to the log odds of the mean.
func (g *grower) start() float64 {
	sum, weight := 0.0, 0.0
	for i := range g.want {
		sum += float64(g.want[i] * g.weight[i])
		weight += float64(g.weight[i])
	}
	p := min(max(sum/weight, 1e-4), 1-1e-4)
	base := math.Log(p / (1 - p))
	g.margin = make([]float64, g.rows())
	for i := range g.margin {
		g.margin[i] = base
	}
	g.grad, g.hess = make([]float32, g.rows()), make([]float32, g.rows())
	return base
}

// bin replaces values by the number of the range they lie in.
func (g *grower) bin() {
	g.edges, g.binned = make([][]float32, g.width), make([][]uint8, g.width)
	parallel(g.width, func(f int) {
		sample := make([]float32, 0, 20_000)
		step := max(g.rows()/20_000, 1)
		for r := 0; r < g.rows(); r += step {
			sample = append(sample, g.values[r*g.width+f])
		}
		slices.Sort(sample)
		distinct := slices.Compact(slices.Clone(sample))
		var edges []float32
		if len(distinct) <= bins {
			for i := 1; i < len(distinct); i++ {
				edges = append(edges, (distinct[i-1]+distinct[i])/2)
			}
		} else {
			for b := 1; b < bins; b++ {
				edges = append(edges, sample[len(sample)*b/bins])
			}
			edges = slices.Compact(edges)
		}
		column := make([]uint8, g.rows())
		for r := range column {
			at, _ := slices.BinarySearch(edges, g.values[r*g.width+f])
			column[r] = uint8(at) // values up to edges[at]
		}
		g.edges[f], g.binned[f] = edges, column
	})
}

func parallel(n int, do func(int)) {
	var wg sync.WaitGroup
	const workers = 2
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wg.Wait()
}

// tree grows one tree on the gradients and adds it to the margins.
func (g *grower) tree() []forest.Node {
	for i := range g.margin {
		p := 1 / (1 + math.Exp(-g.margin[i]))
		g.grad[i] = float32(p-float64(g.want[i])) * g.weight[i]
		g.hess[i] = float32(max(p*(1-p), 1e-4)) * g.weight[i]
	}
	var rows []int32
	for i := range g.margin {
		if g.random.Float64() < g.sample {
			rows = append(rows, int32(i))
		}
	}
	features := g.random.Perm(g.width)[:max(1, int(g.settings.features*float64(g.width)))]
	var nodes []forest.Node
	g.grow(&nodes, rows, features, g.depth)
	one := forest.Forest{Trees: [][]forest.Node{nodes}}
	parallel(2, func(half int) {
		for i := half * g.rows() / 2; i < (half+1)*g.rows()/2; i++ {
			g.margin[i] += float64(one.Margin(g.values[i*g.width : (i+1)*g.width]))
		}
	})
	return nodes
}

type split struct {
	gain    float64
	feature int
	bin     int
}

func (g *grower) grow(nodes *[]forest.Node, rows []int32, features []int, depth int) int16 {
	at := len(*nodes)
	*nodes = append(*nodes, forest.Node{Feature: forest.Leaf})
	gs, hs := 0.0, 0.0
	for _, r := range rows {
		gs += float64(g.grad[r])
		hs += float64(g.hess[r])
	}
	best := split{feature: -1}
	if depth > 0 && len(rows) > 20 {
		best = g.bestSplit(rows, features, gs, hs)
	}
	if best.feature < 0 {
		(*nodes)[at].Value = float32(-g.rate * gs / (hs + g.lambda))
		return int16(at)
	}
	column := g.binned[best.feature]
	left, right := make([]int32, 0, len(rows)), make([]int32, 0, len(rows))
	for _, r := range rows {
		if int(column[r]) <= best.bin {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	l := g.grow(nodes, left, features, depth-1)
	r := g.grow(nodes, right, features, depth-1)
	(*nodes)[at] = forest.Node{Feature: int16(best.feature), Left: l, Right: r, Value: g.edges[best.feature][best.bin]}
	return int16(at)
}

func (g *grower) bestSplit(rows []int32, features []int, gs, hs float64) split {
	found := make([]split, len(features))
	parallel(len(features), func(i int) { found[i] = g.splitOn(features[i], rows, gs, hs) })
	best := split{feature: -1}
	for _, s := range found {
		if s.feature >= 0 && s.gain > best.gain {
			best = s
		}
	}
	return best
}

func (g *grower) splitOn(f int, rows []int32, gs, hs float64) split {
	var hist [bins + 1][2]float32
	column := g.binned[f]
	for _, r := range rows {
		h := &hist[column[r]]
		h[0] += g.grad[r]
		h[1] += g.hess[r]
	}
	best := split{feature: -1, gain: 1e-6}
	whole := gs * gs / (hs + g.lambda)
	gl, hl := 0.0, 0.0
	for b := range len(g.edges[f]) {
		gl += float64(hist[b][0])
		hl += float64(hist[b][1])
		gr, hr := gs-gl, hs-hl
		if hl < g.minimum || hr < g.minimum {
			continue
		}
		gain := gl*gl/(hl+g.lambda) + gr*gr/(hr+g.lambda) - whole
		if gain > best.gain {
			best = split{gain, f, b}
		}
	}
	return best
}
