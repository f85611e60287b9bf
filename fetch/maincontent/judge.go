package maincontent

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
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
	first, second *forest.Grove
}

// learnt decodes the forests once.
var learnt = sync.OnceValue(func() *model {
	all, err := forest.Decode(weights)
	if err != nil || len(all) != len(types)+2 {
		panic("maincontent: weights.bin is broken") // a test decodes it
	}
	return &model{types: all[:len(types)], first: forest.NewGrove(all[len(types)]), second: forest.NewGrove(all[len(types)+1])}
})

// judge returns how likely each block is content, and the type of the page. A
// first guess about the blocks leads to the type, and both to a second one.
func (m *model) judge(w *work, p *blocks.Page) ([]float32, Type) {
	features := p.Features()
	defer features.Free()
	guess := ask(w, m.first, len(p.Blocks), features.First)
	sure := m.typesOf(p, features, guess)
	p.Second(features, guess, sure)
	return ask(w, m.second, len(p.Blocks), features.Whole), surest(sure)
}

// typesOf returns how sure the forest of each type is.
func (m *model) typesOf(p *blocks.Page, features *blocks.Matrix, guess []float32) []float32 {
	row := p.Profile(features, guess)
	margins := make([]float32, len(m.types))
	for i, f := range m.types {
		margins[i] = f.Margin(row)
	}
	return margins
}

func surest(sure []float32) Type { return types[slices.Index(sure, slices.Max(sure))] }

// treesAStep is how many trees count as a step.
const treesAStep = 8

// rowsAtOnce is how many blocks are judged between two counts.
const rowsAtOnce = 256

func ask(w *work, g *forest.Grove, blocks int, row func(i int) []float32) []float32 {
	out := make([]float32, 0, blocks)
	for from := 0; from < blocks; from += rowsAtOnce {
		n := min(rowsAtOnce, blocks-from)
		out = append(out, g.Probabilities(n, func(i int) []float32 { return row(from + i) })...)
		w.Step(n * (g.Trees()/treesAStep + 1))
	}
	return out
}
