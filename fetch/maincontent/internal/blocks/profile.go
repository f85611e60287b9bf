package blocks

// Profile describes the page by what it is as a whole and by what its content
// is like, given how likely each block is content: the means of all features
// over the words of the content.
func (p *Page) Profile(m *Matrix, guess []float32) []float32 {
	row := p.PageFeatures(nil)
	means := make([]float32, blockWidth)
	all := float32(0)
	for i, g := range guess {
		weight := g * (float32(p.Blocks[i].Words) + 0.5)
		all += weight
		for k, v := range m.First(i)[:blockWidth] {
			means[k] += weight * v
		}
	}
	if all > 0 {
		for k := range means {
			means[k] /= all
		}
	}
	p.step(len(guess) * blockWidth / 64)
	return append(row, means...)
}
