package main

import (
	"math"
	"slices"

	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/internal/grow"
)

// learnTypes grows the forests of the types from the examples that there are
// guesses about.
func (s *school) learnTypes(guesses [][]float32) []*forest.Forest {
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
	return s.fitTypes(c, rows)
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

// kindOf returns the type whose forest is the surest.
func kindOf(types []*forest.Forest, row []float32) string {
	margins := make([]float32, len(types))
	for k, f := range types {
		margins[k] = f.Margin(row)
	}
	return kinds[slices.Index(margins, slices.Max(margins))]
}

// judge returns how likely each block is content, by the first guess and by
// the second, and the type.
func (m *model) judge(e *example) (first, second []float32, kind string) {
	first = guess(m.first, len(e.want), e.matrix.First)
	e.page.Second(e.matrix, first)
	second = guess(m.second, len(e.want), e.matrix.Whole)
	return first, second, kindOf(m.types, e.page.Profile(e.matrix, first))
}
