package main

import (
	"math"
	"slices"

	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
	"github.com/drover-go/drover/fetch/maincontent/internal/forest"
)

// learnTypes grows the forests of the types for a model, and returns how likely
// each example is of each type by forests that have not seen it.
func (s *school) learnTypes(m *model, guesses [][]float32, fold func(int) int) [][blocks.Kinds]float32 {
	profiles := make([][]float32, len(s.examples))
	width := 0
	for i, e := range s.examples {
		if guesses[i] != nil {
			profiles[i] = e.page.Profile(e.matrix, guesses[i])
			width = len(profiles[i])
		}
	}
	c := newColumns(width, len(profiles), func(r, f int) float32 {
		if profiles[r] == nil {
			return 0
		}
		return profiles[r][f]
	})
	parts := make([][]*forest.Forest, innerFolds+1)
	parallel(len(parts), func(k int) {
		var rows []int32
		for i := range s.examples {
			if guesses[i] != nil && fold(i) != k {
				rows = append(rows, int32(i))
			}
		}
		parts[k] = s.fitTypes(c, rows)
	})
	m.types = parts[innerFolds]
	out := make([][blocks.Kinds]float32, len(s.examples))
	for i, row := range profiles {
		if row != nil {
			out[i] = chances(parts[fold(i)], row)
		}
	}
	return out
}

// fitTypes grows a forest a type, each against all others.
func (s *school) fitTypes(c *columns, rows []int32) []*forest.Forest {
	counts := map[string]int{}
	for _, r := range rows {
		counts[s.examples[r].kind]++
	}
	out := make([]*forest.Forest, len(kinds))
	l := lesson{columns: c, rows: rows, want: make([]float32, len(s.examples)), weight: make([]float32, len(s.examples))}
	for k := range kinds {
		clear(l.want)
		for _, r := range rows {
			e := s.examples[r]
			l.weight[r] = float32(math.Pow(float64(len(rows))/float64(counts[e.kind]), *balance))
			if kindIndex(e.kind) == k {
				l.want[r] = 1
			}
		}
		out[k] = fit(l, settings{trees: *typeTrees, depth: 3, rate: 0.1, sample: 0.8, features: *typeFeats, lambda: 2, minimum: 1, seed: uint64(k)})
	}
	return out
}

// chances returns how likely a page is of each type.
func chances(types []*forest.Forest, row []float32) (out [blocks.Kinds]float32) {
	sum := float32(0)
	for k, f := range types {
		out[k] = f.Probability(row)
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}

// judge returns how likely each block is content, by the first guess and by
// the second, and the type.
func (m *model) judge(e *example) (first, second []float32, kind string) {
	first = guess(m.first, len(e.want), e.matrix.First)
	types := chances(m.types, e.page.Profile(e.matrix, first))
	e.page.Second(e.matrix, first, types)
	e.chances, e.model = types, m
	return first, guess(m.second, len(e.want), e.matrix.Whole), kinds[slices.Index(types[:], slices.Max(types[:]))]
}
