package candidates

import (
	_ "embed"
	"sync"

	"github.com/drover-go/drover/fetch/internal/forest"
)

// A Kind is what a list may be of.
type Kind int

// The kinds, in the order of the forests.
const (
	Ingredients Kind = iota
	Instructions
)

// A Model tells what lists are of.
type Model [2]*forest.Forest

// weights are the forests that TestGrow of package extract has grown.
//
//go:embed weights.bin
var weights []byte

// Grown returns the model of the repository, which is decoded when first asked for.
var Grown = sync.OnceValue(func() *Model {
	all, err := forest.Decode(weights)
	if err != nil || len(all) != len(Model{}) {
		panic("candidates: weights.bin is broken") // a test decodes it
	}
	return (*Model)(all)
})

// treesAStep is how many trees count as a step.
const treesAStep = 8

// judge returns how likely each list is of a kind.
func (m *Model) judge(p *Page, kind Kind) []float32 {
	out := make([]float32, len(p.lists))
	for i := range p.lists {
		p.meter.Step(len(m[kind].Trees)/treesAStep + 1)
		out[i] = m[kind].Probability(p.lists[i].row)
	}
	return out
}
