package blocks

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
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

// Named returns the blocks in the open of the element that the page calls its
// main one, or of its largest article; nil if there is no such text.
func (p *Page) Named() []bool {
	e := p.facts.mainElem
	if e < 0 {
		e = p.facts.article
	}
	if e < 0 || p.within(e).words == 0 {
		return nil
	}
	keep := make([]bool, len(p.Blocks))
	found := false
	for i := p.elems[e].from; i < p.elems[e].to; i++ {
		keep[i] = !p.Blocks[i].Hidden()
		found = found || keep[i]
	}
	if !found {
		return nil
	}
	return keep
}

// Where names the elements that a block lies in, the innermost first, for
// whoever looks at what went wrong.
func (p *Page) Where(i int) string {
	var b strings.Builder
	e := p.Blocks[i].elem
	for range 5 {
		if e < 0 {
			break
		}
		n := p.elems[e].node
		b.WriteString(n.Data)
		if class := tree.AttrOr(n, "class"); class != "" {
			b.WriteString("." + class[:min(len(class), 24)])
		}
		b.WriteByte(' ')
		e = p.elems[e].parent
	}
	return b.String()
}

// Forget lets go of the tree: the page can still be judged and settled, but its
// nodes lie in no tree any more.
func (p *Page) Forget() {
	alone := func(n *html.Node) *html.Node {
		return &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: n.Attr}
	}
	for i := range p.elems {
		p.elems[i].node = alone(p.elems[i].node)
	}
	for i := range p.texts {
		p.texts[i] = alone(p.texts[i])
	}
	p.Root, p.facts.base, p.facts.noscript = nil, nil, ""
}

// Hidden reports whether the block is hidden until a script shows it.
func (b *Block) Hidden() bool { return b.inside&inHidden != 0 }

// Mostly says of each element with text whether more of its words are in kept
// blocks than in others.
func (p *Page) Mostly(keep []bool) map[*html.Node]bool {
	kept := keptWords(p, keep)
	mostly := make(map[*html.Node]bool, len(p.elems))
	for i := range p.elems {
		if e := &p.elems[i]; e.to > e.from {
			words := kept[e.to] - kept[e.from]
			mostly[e.node] = words > 0 && 2*words >= p.within(int32(i)).words
		}
	}
	p.step(len(keep) + len(p.elems))
	return mostly
}

// keptWords counts the words that are kept of the blocks before each one.
func keptWords(p *Page, keep []bool) []int32 {
	kept := make([]int32, len(keep)+1)
	for i, k := range keep {
		kept[i+1] = kept[i]
		if k {
			kept[i+1] += int32(p.Blocks[i].Words)
		}
	}
	return kept
}
