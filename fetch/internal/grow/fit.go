package grow

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/drover-go/drover/fetch/internal/forest"
)

// Settings are how a forest is grown.
type Settings struct {
	Trees    int
	Depth    int
	Rate     float64
	Sample   float64 // share of the rows that a tree sees
	Weighted bool    // rows that matter more are seen more often, and so count less when seen
	Features float64 // share of the features that a tree sees
	Lambda   float64 // what is added to the weight of a leaf
	Minimum  float64 // weight below which a leaf is not split off
	Seed     uint64
	Unused   map[int]bool // features that are not asked for
}

// A Lesson is what a forest is grown from: rows of columns, what they should
// give (from 0 to 1) and how much they count. Want and weight are by row of
// the columns.
type Lesson struct {
	*Columns
	Rows   []int32
	Want   []float32
	Weight []float32
}

// grower grows one forest by gradient boosting over histograms.
type grower struct {
	Settings
	Lesson
	margin []float64
	slopes []slope
	random *rand.Rand
	chosen []int // features that the tree may ask for
	nodes  []forest.Node
}

// A slope is the first and second derivative of the loss.
type slope struct{ grad, hess float32 }

func (s *slope) add(o slope) {
	s.grad += o.grad
	s.hess += o.hess
}

// A histogram sums slopes by feature that may be asked for and range.
type histogram []([bins]slope)

// Fit grows a forest by gradient boosting over histograms.
func Fit(l Lesson, s Settings) *forest.Forest {
	g := &grower{Settings: s, Lesson: l, random: rand.New(rand.NewPCG(s.Seed, 1))}
	f := &forest.Forest{Base: float32(g.start())}
	for range s.Trees {
		f.Trees = append(f.Trees, g.tree())
	}
	return f
}

// Average returns the forest whose margin is the mean of those of others.
func Average(forests []*forest.Forest) *forest.Forest {
	mean, share := &forest.Forest{}, 1/float32(len(forests))
	for _, f := range forests {
		mean.Base += f.Base * share
		for _, t := range f.Trees {
			for i := range t {
				if t[i].Feature == forest.Leaf {
					t[i].Value *= share
				}
			}
			mean.Trees = append(mean.Trees, t)
		}
	}
	return mean
}

// start sets every margin to the log odds of the mean.
func (g *grower) start() float64 {
	sum, weight := 0.0, 0.0
	for _, r := range g.Rows {
		sum += float64(g.Want[r] * g.Weight[r])
		weight += float64(g.Weight[r])
	}
	p := min(max(sum/weight, 1e-4), 1-1e-4)
	base := math.Log(p / (1 - p))
	g.margin, g.slopes = make([]float64, len(g.Want)), make([]slope, len(g.Want))
	for i := range g.margin {
		g.margin[i] = base
	}
	return base
}

// tree grows one tree on the slopes and adds it to the margins.
func (g *grower) tree() []forest.Node {
	for _, r := range g.Rows {
		p := 1 / (1 + math.Exp(-g.margin[r]))
		g.slopes[r] = slope{float32(p-float64(g.Want[r])) * g.Weight[r], float32(max(p*(1-p), 1e-4)) * g.Weight[r]}
	}
	seen, unseen := g.draw()
	g.choose()
	g.nodes = nil
	g.grow(seen, unseen, g.sum(seen), g.Depth)
	return g.nodes
}

// choose chooses the features that the next tree may ask for.
func (g *grower) choose() {
	g.chosen = g.random.Perm(g.Width())
	g.chosen = slices.DeleteFunc(g.chosen, func(f int) bool { return g.Unused[f] })
	g.chosen = g.chosen[:max(1, int(g.Features*float64(len(g.chosen))))]
}

// sum returns the histogram of rows.
func (g *grower) sum(rows []int32) histogram {
	h := make(histogram, len(g.chosen))
	slopes := make([]slope, len(rows))
	for i, r := range rows {
		slopes[i] = g.slopes[r]
	}
	k := 0
	for ; k+4 <= len(h); k += 4 { // four at a time: sums of one feature wait for each other
		g.sumFour(h[k:k+4], g.chosen[k:k+4], rows, slopes)
	}
	for ; k < len(h); k++ {
		for i, r := range rows {
			h[k][g.bins[g.chosen[k]][r]%bins].add(slopes[i])
		}
	}
	return h
}

func (g *grower) sumFour(h histogram, features []int, rows []int32, slopes []slope) {
	h0, h1, h2, h3 := &h[0], &h[1], &h[2], &h[3]
	c0, c1, c2, c3 := g.bins[features[0]], g.bins[features[1]], g.bins[features[2]], g.bins[features[3]]
	for i, r := range rows {
		s := slopes[i]
		h0[c0[r]%bins].add(s)
		h1[c1[r]%bins].add(s)
		h2[c2[r]%bins].add(s)
		h3[c3[r]%bins].add(s)
	}
}

// less takes what another histogram holds from this one.
func (h histogram) less(o histogram) histogram {
	for k := range h {
		for b := range h[k] {
			h[k][b].grad -= o[k][b].grad
			h[k][b].hess -= o[k][b].hess
		}
	}
	return h
}

// leastRows is how many rows are not parted further.
const leastRows = 20

// grow adds the tree below a node. Rows that the tree has not been shown only
// follow.
func (g *grower) grow(seen, unseen []int32, h histogram, depth int) int16 {
	at := len(g.nodes)
	g.nodes = append(g.nodes, forest.Node{Feature: forest.Leaf})
	best := split{feature: -1}
	all := h.total()
	if depth > 0 && len(seen) > leastRows {
		best = g.bestSplit(h, all)
	}
	if best.feature < 0 {
		v := -g.Rate * float64(all.grad) / (float64(all.hess) + g.Lambda)
		g.nodes[at].Value = float32(v)
		for _, rows := range [...][]int32{seen, unseen} {
			for _, r := range rows {
				g.margin[r] += v
			}
		}
		return int16(at)
	}
	l, r := g.part(seen, best)
	lu, ru := g.part(unseen, best)
	var hl, hr histogram
	if depth > 1 && len(l) < len(r) {
		hl = g.sum(l)
		hr = h.less(hl)
	} else if depth > 1 {
		hr = g.sum(r)
		hl = h.less(hr)
	} else {
		hl, hr = histogram{{g.add(l)}}, histogram{{g.add(r)}}
	}
	left := g.grow(l, lu, hl, depth-1)
	right := g.grow(r, ru, hr, depth-1)
	g.nodes[at] = forest.Node{Feature: int16(best.feature), Left: left, Right: right, Value: g.edges[best.feature][best.bin]}
	return int16(at)
}

func (h histogram) total() (s slope) {
	for b := range h[0] {
		s.add(h[0][b])
	}
	return s
}

func (g *grower) add(rows []int32) (s slope) {
	for _, r := range rows {
		s.add(g.slopes[r])
	}
	return s
}

func (g *grower) part(rows []int32, s split) (left, right []int32) {
	column := g.bins[s.feature]
	left, right = make([]int32, 0, len(rows)), make([]int32, 0, len(rows)/2)
	for _, r := range rows {
		if int(column[r]) <= s.bin {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	return left, right
}

type split struct {
	gain    float64
	feature int
	bin     int
}

func (g *grower) bestSplit(h histogram, all slope) split {
	best := split{feature: -1, gain: 1e-6}
	gs, hs := float64(all.grad), float64(all.hess)
	whole := gs * gs / (hs + g.Lambda)
	for k, f := range g.chosen {
		gl, hl := 0.0, 0.0
		for b := range g.edges[f] {
			gl += float64(h[k][b].grad)
			hl += float64(h[k][b].hess)
			gr, hr := gs-gl, hs-hl
			if hl < g.Minimum || hr < g.Minimum {
				continue
			}
			if gain := gl*gl/(hl+g.Lambda) + gr*gr/(hr+g.Lambda) - whole; gain > best.gain {
				best = split{gain, f, b}
			}
		}
	}
	return best
}
