package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/internal/grow"
	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
)

const folds = 5

// tallies are what a check finds about pages that were not learnt from.
type tallies struct {
	first, second, types *scores
	pages                map[string]*example
	perPage              map[string][]float64
}

func newTallies() *tallies {
	return &tallies{
		first: newScores(), second: newScores(), types: newScores(),
		pages: map[string]*example{}, perPage: map[string][]float64{},
	}
}

func (t *tallies) print(title string) {
	t.types.print(title+", type", f1)
	t.first.print(title+", first guess", f1)
	t.second.printAll(title)
}

func (t *tallies) evaluate(m *model, test []*example) {
	results := make([]struct {
		first, second measure
		kind          string
	}, len(test))
	grow.Parallel(len(test), func(i int) {
		e, r := test[i], &results[i]
		first, second, kind := m.judge(e)
		second = e.page.Together(second)
		settled := e.page.Settle(e.page.Choose(second), second, blocks.CareFor(kind))
		r.first, r.second, r.kind = e.score(e.page.Choose(first)), e.score(settled), kind
		e.likely = second
	})
	for i, e := range test {
		r := &results[i]
		t.first.add(e, r.first)
		t.second.add(e, r.second)
		right := 0.0
		if r.kind == e.kind {
			right = 1
		}
		t.types.add(e, measure{right, right, right})
		t.pages[e.id] = e
		t.perPage[e.id] = append(t.perPage[e.id], r.second.f1)
		if *verbose {
			fmt.Printf("%s %s %s %.3f %.3f %.3f blocks %d gold %d\n", e.id, e.kind, r.kind, r.second.f1, r.second.precision, r.second.recall, len(e.want), len(e.gold))
		}
	}
}

// crossValidate scores every page by a model that was grown without it, as
// many times as there are seeds, each parting the pages in another way.
func crossValidate(s *school) *tallies {
	t := newTallies()
	for seed := range *seeds {
		one := newTallies()
		for fold := range folds {
			part := func(i int) bool { return s.examples[i].part(uint64(seed), folds) == fold }
			m := s.learn(func(i int) bool { return !part(i) }, uint64(seed))
			test := s.chosen(part)
			one.evaluate(m, test)
			t.evaluate(m, test)
		}
		one.second.print(fmt.Sprintf("cv, seed %d", seed), f1)
	}
	return t
}

func (s *school) chosen(part func(int) bool) (out []*example) {
	for i, e := range s.examples {
		if part(i) {
			out = append(out, e)
		}
	}
	return out
}

func byHalves(s *school) {
	for half := range 2 {
		part := func(i int) bool { return s.examples[i].half() == half }
		t := newTallies()
		t.evaluate(s.learn(func(i int) bool { return !part(i) }, 0), s.chosen(part))
		t.second.print(fmt.Sprintf("half %d, grown on the other", half), f1)
	}
}

// printWorst prints the blocks of the pages with the lowest scores: what was
// kept, what should have been, how likely it was held.
func printWorst(t *tallies, n int) {
	var ids []string
	for id := range t.pages {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return int(1e6 * (t.perPage[a][0] - t.perPage[b][0]))
	})
	for _, id := range ids[:min(n, len(ids))] {
		e := t.pages[id]
		fmt.Printf("\n==== %s %s %v gold %d %v\n", id, e.kind, t.perPage[id], len(e.gold), e.page.URL)
		keep := e.page.Choose(e.likely)
		for i := range e.want {
			mark := [...]string{" ", "K"}[index(keep[i])] + [...]string{" ", "G"}[index(e.want[i] >= 0.5)]
			text := strings.Join(e.texts[i], " ")
			fmt.Printf("%s %.2f %.2f %3d %s | %.90s\n", mark, e.likely[i], e.want[i], len(e.texts[i]), e.page.Where(i), text)
		}
	}
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// oracle prints what blocks that are chosen by their labels score.
func oracle(examples []*example) {
	s := newScores()
	for _, e := range examples {
		keep := make([]bool, len(e.want))
		for i, w := range e.want {
			keep[i] = w >= 0.5
		}
		v := e.score(keep)
		if *verbose {
			fmt.Printf("%s %s %.3f\n", e.id, e.kind, v.f1)
		}
		s.add(e, v)
	}
	s.printAll("oracle")
}
