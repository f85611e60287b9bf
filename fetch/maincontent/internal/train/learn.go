package main

import (
	"math"
	"regexp"
	"slices"

	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/internal/grow"
	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
)

// A model is what is learnt: the type of a page, a first guess by the features
// of a block alone, and a second one that has seen the first.
type model struct {
	types         []*forest.Forest
	first, second *forest.Forest
}

// A school holds all examples, with the features of all their blocks in columns.
type school struct {
	examples []*example
	from     []int // the first row of each example, and the number of all
	first    *grow.Columns
	unused   map[int]bool // features of blocks that are not asked for
	want     []float32
	weight   []float32
}

func newSchool(examples []*example) *school {
	s := &school{examples: examples}
	var rows [][]float32
	for _, e := range examples {
		s.from = append(s.from, len(rows))
		for i := range e.want {
			rows = append(rows, e.matrix.First(i))
		}
		s.want = append(s.want, e.want...)
		s.weight = append(s.weight, weigh(e)...)
	}
	s.from = append(s.from, len(rows))
	s.unused = unusedFeatures(examples)
	s.first = grow.NewColumns(examples[0].matrix.Width, len(rows), func(r, f int) float32 { return rows[r][f] })
	return s
}

// unusedFeatures finds the features of blocks that -without names.
func unusedFeatures(examples []*example) map[int]bool {
	unused := map[int]bool{}
	if *without == "" {
		return unused
	}
	pattern := regexp.MustCompile(*without)
	at := slices.IndexFunc(examples, func(e *example) bool { return len(e.page.Blocks) > 0 })
	p := examples[at].page
	for f, name := range append(p.Names(), p.SecondNames()...) {
		unused[f] = pattern.MatchString(name)
	}
	return unused
}

// rows returns the rows of the examples that are chosen.
func (s *school) rows(chosen func(int) bool) (rows []int32) {
	for i := range s.examples {
		if chosen(i) {
			for r := s.from[i]; r < s.from[i+1]; r++ {
				rows = append(rows, int32(r))
			}
		}
	}
	return rows
}

// innerFolds part the pages that the second forest is grown on: it must see
// guesses about pages that the first has not been grown on.
const innerFolds = 4

// learn grows a model from the examples that are chosen.
func (s *school) learn(chosen func(int) bool, seed uint64) *model {
	m := &model{}
	parts := make([]*forest.Forest, innerFolds)
	firsts := make([]*forest.Forest, *bags)
	all := s.rows(chosen)
	fold := func(i int) int { return s.examples[i].part(seed+1000, innerFolds) }
	grow.Parallel(innerFolds+*bags, func(k int) {
		if k >= innerFolds {
			firsts[k-innerFolds] = grow.Fit(grow.Lesson{Columns: s.first, Rows: all, Want: s.want, Weight: s.weight}, s.firstSettings(uint64(10+k)))
			return
		}
		rows := s.rows(func(i int) bool { return chosen(i) && fold(i) != k })
		parts[k] = grow.Fit(grow.Lesson{Columns: s.first, Rows: rows, Want: s.want, Weight: s.weight}, s.firstSettings(uint64(k)))
	})
	m.first = grow.Average(firsts)
	guesses := make([][]float32, len(s.examples))
	grow.Parallel(len(s.examples), func(i int) {
		if e := s.examples[i]; chosen(i) {
			guesses[i] = guess(parts[fold(i)], len(e.want), e.matrix.First)
		}
	})
	var sure [][]float32
	m.types, sure = s.learnTypes(guesses, fold)
	both := s.first.And(s.second(guesses, sure))
	seconds := make([]*forest.Forest, *bags)
	grow.Parallel(*bags, func(k int) {
		seconds[k] = grow.Fit(grow.Lesson{Columns: both, Rows: all, Want: s.want, Weight: s.weight}, s.secondSettings(uint64(20+k)))
	})
	m.second = grow.Average(seconds)
	return m
}

// second returns the features that guesses add, about blocks and types.
func (s *school) second(guesses, sure [][]float32) *grow.Columns {
	grow.Parallel(len(s.examples), func(i int) {
		if e := s.examples[i]; guesses[i] != nil {
			e.page.Second(e.matrix, guesses[i], sure[i])
		}
	})
	rows := make([][]float32, 0, s.from[len(s.examples)])
	for _, e := range s.examples {
		for i := range e.want {
			rows = append(rows, e.matrix.Whole(i)[e.matrix.Width:])
		}
	}
	return grow.NewColumns(blocks.SecondWidth, len(rows), func(r, f int) float32 { return rows[r][f] })
}

func (s *school) firstSettings(seed uint64) grow.Settings {
	return grow.Settings{Trees: *trees, Depth: *depth, Rate: *rate, Sample: *sample, Weighted: true, Features: *feats, Lambda: *lambda, Minimum: *minimum, Seed: seed, Unused: s.unused}
}

func (s *school) secondSettings(seed uint64) grow.Settings {
	o := s.firstSettings(seed)
	o.Trees, o.Depth, o.Features, o.Rate = *trees2, *depth2, *feats2, *rate2
	return o
}

func guess(f *forest.Forest, n int, row func(int) []float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = f.Probability(row(i))
	}
	return out
}

// weigh returns how much each block of a page counts: long ones more, for
// more words are won or lost, and all pages about the same. A page without an
// answer does not count.
func weigh(e *example) []float32 {
	out := make([]float32, len(e.want))
	for i := range out {
		share := float64(len(e.texts[i])) / float64(len(e.gold)+100)
		if len(e.gold) > 0 {
			out[i] = float32(math.Pow(min(share, 1), *alpha))
		}
	}
	return out
}
