package blocks

import (
	"cmp"
	"slices"
)

// Choose returns which blocks to keep, given how likely each is content: those
// that make the expected F1 of their words the highest. A page that is nearly
// all doubt keeps more than one where half of the blocks are sure.
func (p *Page) Choose(likely []float32) []bool {
	order := make([]int, len(likely))
	content := 0.0
	for i := range order {
		order[i] = i
		content += float64(likely[i]) * float64(p.Blocks[i].Words)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(likely[b], likely[a]) })
	best, at := 0.0, 0
	both, kept := 0.0, 0.0
	for i, b := range order {
		words := float64(p.Blocks[b].Words)
		both += float64(likely[b]) * words
		kept += words
		if f := 2 * both / (kept + content); f >= best {
			best, at = f, i+1
		}
	}
	keep := make([]bool, len(likely))
	for _, b := range order[:at] {
		keep[b] = likely[b] > 0.02
	}
	p.step(len(order) * 2)
	return keep
}
