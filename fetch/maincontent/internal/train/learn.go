package main

import (
	"fmt"
	"math"

	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
	"github.com/drover-go/drover/fetch/maincontent/internal/forest"
)

// A model is what is learnt: the type of a page, a first guess by the features
// of a block alone, and a second one that has seen the first.
type model struct {
	types         []*forest.Forest
	first, second *forest.Forest
}

// innerFolds part the pages that the second forest is grown on: it must see
// guesses about pages that the first has not been grown on.
const innerFolds = 4

func learn(examples []*example) *model {
	m := &model{types: learnTypes(examples)}
	guesses := make([][]float32, len(examples))
	for fold := range innerFolds {
		var train []*example
		for _, e := range examples {
			if e.fold() != fold {
				train = append(train, e)
			}
		}
		f := fit(firstTable(train), blockSettings(uint64(fold)))
		for i, e := range examples {
			if e.fold() == fold {
				guesses[i] = guess(f, len(e.want), e.matrix.First)
			}
		}
	}
	m.first = fit(firstTable(examples), blockSettings(10))
	m.second = fit(secondTable(examples, guesses), blockSettings(11))
	return m
}

func (e *example) fold() int { return int(e.hash() / 10 % innerFolds) }

func blockSettings(seed uint64) settings {
	return settings{trees: *trees, depth: *depth, rate: *rate, sample: *sample, features: *feats, lambda: *lambda, minimum: *minimum, seed: seed}
}

func guess(f *forest.Forest, n int, row func(int) []float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = f.Probability(row(i))
	}
	return out
}

// weigh returns how much each block of a page counts: long ones more, for
// more words are won or lost, and all pages about the same.
func weigh(e *example) []float32 {
	out := make([]float32, len(e.want))
	for i := range out {
		share := float64(len(e.texts[i])) / float64(len(e.gold)+100)
		out[i] = float32(math.Pow(min(share, 1), *alpha))
	}
	return out
}

func firstTable(examples []*example) *table {
	t := &table{width: examples[0].matrix.Width}
	for _, e := range examples {
		for i := range e.want {
			t.values = append(t.values, e.matrix.First(i)...)
		}
		t.want = append(t.want, e.want...)
		t.weight = append(t.weight, weigh(e)...)
	}
	return t
}

func secondTable(examples []*example, guesses [][]float32) *table {
	t := &table{width: examples[0].matrix.Width + blocks.SecondWidth}
	for i, e := range examples {
		e.page.Second(e.matrix, guesses[i])
		t.values = append(t.values, e.matrix.Values...)
		t.want = append(t.want, e.want...)
		t.weight = append(t.weight, weigh(e)...)
	}
	return t
}

// learnTypes grows a forest a type, each against all others.
func learnTypes(examples []*example) []*forest.Forest {
	out := make([]*forest.Forest, len(kinds))
	t := &table{}
	counts := map[string]int{}
	for _, e := range examples {
		counts[e.kind]++
	}
	for _, e := range examples {
		row := e.page.PageFeatures(nil)
		t.width = len(row)
		t.values = append(t.values, row...)
		t.weight = append(t.weight, float32(math.Pow(float64(len(examples)/counts[e.kind]), *balance)))
	}
	for k := range kinds {
		t.want = nil
		for _, e := range examples {
			if kindIndex(e.kind) == k {
				t.want = append(t.want, 1)
			} else {
				t.want = append(t.want, 0)
			}
		}
		out[k] = fit(t, settings{trees: 40, depth: 3, rate: 0.1, sample: 0.8, features: 0.4, lambda: 2, minimum: 1, seed: uint64(k)})
	}
	return out
}

func (m *model) kind(e *example) string {
	row := e.page.PageFeatures(nil)
	best, most := 0, float32(math.Inf(-1))
	for k, f := range m.types {
		if v := f.Margin(row); v > most {
			best, most = k, v
		}
	}
	return kinds[best]
}

func evaluate(m *model, test []*example, s, first, types scores) {
	for _, e := range test {
		g := guess(m.first, len(e.want), e.matrix.First)
		first.add(e.kind, e.score(e.page.Choose(g)))
		e.page.Second(e.matrix, g)
		second := guess(m.second, len(e.want), e.matrix.Whole)
		v := e.score(e.page.Choose(second))
		s.add(e.kind, v)
		right := 0.0
		if m.kind(e) == e.kind {
			right = 1
		}
		types.add(e.kind, right)
		if *verbose {
			fmt.Printf("%s %s %s %.3f blocks %d gold %d\n", e.id, e.kind, m.kind(e), v, len(e.want), len(e.gold))
		}
	}
}
