package maincontent

import (
	_ "embed"
	"sync"

	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
	"github.com/drover-go/drover/fetch/maincontent/internal/forest"
)

// weights are the forests that internal/train has grown: one for each type of
// page, then the first and the second for blocks.
//
//go:embed weights.bin
var weights []byte

// types are in the order of the forests.
var types = [...]Type{Article, Service, Listing, Forum, Product, Documentation, Collection}

type model struct {
	types         []*forest.Forest
	first, second *forest.Forest
}

// learnt decodes the forests once.
var learnt = sync.OnceValue(func() *model {
	all, err := forest.Decode(weights)
	if err != nil || len(all) != len(types)+2 {
		panic("maincontent: weights.bin is broken") // a test decodes it
	}
	return &model{types: all[:len(types)], first: all[len(types)], second: all[len(types)+1]}
})

// typeOf returns the type whose forest is the surest.
func (m *model) typeOf(p *blocks.Page) Type {
	row := p.PageFeatures(nil)
	best := 0
	var most float32
	for i, f := range m.types {
		if v := f.Margin(row); i == 0 || v > most {
			best, most = i, v
		}
	}
	return types[best]
}

// judge returns how likely each block is content.
func (m *model) judge(w *work, p *blocks.Page) []float32 {
	if len(p.Blocks) == 0 {
		return nil
	}
	features := p.Features()
	guess := ask(w, m.first, len(p.Blocks), features.First)
	p.Second(features, guess)
	return ask(w, m.second, len(p.Blocks), features.Whole)
}

// treesAStep is how many trees count as a step.
const treesAStep = 8

func ask(w *work, f *forest.Forest, blocks int, row func(i int) []float32) []float32 {
	out := make([]float32, blocks)
	for i := range out {
		out[i] = f.Probability(row(i))
		w.step(len(f.Trees)/treesAStep + 1)
	}
	return out
}
