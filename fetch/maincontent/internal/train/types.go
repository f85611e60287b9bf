package main

import (
	"math"
	"slices"

	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/internal/grow"
)

// learnTypes grows the forests of the types from the examples that there are
// guesses about, and says of each how sure forests are of each type that were
// grown without its fold.
func (s *school) learnTypes(guesses [][]float32, fold func(int) int) (all []*forest.Forest, sure [][]float32) {
	profiles := make([][]float32, len(s.examples))
	width := 0
	var rows []int32
	for i, e := range s.examples {
		if guesses[i] != nil {
			profiles[i] = e.page.Profile(e.matrix, guesses[i])
			width = len(profiles[i])
			rows = append(rows, int32(i))
		}
	}
	c := grow.NewColumns(width, len(profiles), func(r, f int) float32 {
		if profiles[r] == nil {
			return 0
		}
		return profiles[r][f]
	})
	sure = make([][]float32, len(s.examples))
	grow.Parallel(innerFolds, func(k int) {
		part := s.fitTypes(c, slices.DeleteFunc(slices.Clone(rows), func(r int32) bool { return fold(int(r)) == k }))
		for _, r := range rows {
			if fold(int(r)) == k {
				sure[r] = marginsOf(part, profiles[r])
			}
		}
	})
	return s.fitTypes(c, rows), sure
}

// fitTypes grows a forest a type, each against all others.
func (s *school) fitTypes(c *grow.Columns, rows []int32) []*forest.Forest {
	counts := map[string]int{}
	for _, r := range rows {
		counts[s.examples[r].kind]++
	}
	out := make([]*forest.Forest, len(kinds))
	l := grow.Lesson{Columns: c, Rows: rows, Want: make([]float32, len(s.examples)), Weight: make([]float32, len(s.examples))}
	for k := range kinds {
		clear(l.Want)
		for _, r := range rows {
			e := s.examples[r]
			l.Weight[r] = float32(math.Pow(float64(len(rows))/float64(counts[e.kind]), *balance))
			if kindIndex(e.kind) == k {
				l.Want[r] = 1
			}
		}
		out[k] = grow.Fit(l, grow.Settings{Trees: *typeTrees, Depth: 3, Rate: 0.1, Sample: 0.8, Features: *typeFeats, Lambda: 2, Minimum: 1, Seed: uint64(k)})
	}
	return out
}

// marginsOf returns what the forest of each type says.
func marginsOf(types []*forest.Forest, row []float32) []float32 {
	margins := make([]float32, len(types))
	for k, f := range types {
		margins[k] = f.Margin(row)
	}
	return margins
}

// judge returns how likely each block is content, by the first guess and by
// the second, and the type.
func (m *model) judge(e *example) (first, second []float32, kind string) {
	first = guess(m.first, len(e.want), e.matrix.First)
	margins := marginsOf(m.types, e.page.Profile(e.matrix, first))
	e.page.Second(e.matrix, first, margins)
	second = guess(m.second, len(e.want), e.matrix.Whole)
	return first, second, kinds[slices.Index(margins, slices.Max(margins))]
}
