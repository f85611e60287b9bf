package blocks

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// findRegions finds the elements in which the content may lie, each by a rule
// of its own.
func (p *Page) findRegions() {
	p.facts.dense = p.densest()
	all := p.between(0, len(p.Blocks))
	for i := range p.elems {
		e := int32(i)
		s := p.within(e)
		if all.prose > 0 && 10*s.prose >= 8*all.prose {
			p.facts.prose80 = e // the last one is the innermost
		}
		if 2*s.words >= all.words {
			p.facts.words50 = e
		}
		switch n := p.elems[i].node; {
		case n.DataAtom == atom.Article:
			p.larger(&p.facts.article, e)
		case isMain(n):
			p.larger(&p.facts.mainElem, e)
		}
	}
	p.step(len(p.elems))
}

func isMain(n *html.Node) bool {
	return n.DataAtom == atom.Main || tree.AttrOr(n, "role") == "main"
}

func (p *Page) larger(best *int32, e int32) {
	if *best < 0 || p.within(e).words > p.within(*best).words {
		*best = e
	}
}

// densest returns the element right around most prose, -1 without prose: each
// paragraph speaks for its parent, and half as loud for the next one.
func (p *Page) densest() int32 {
	scores := make([]float64, len(p.elems))
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if !b.isProse() {
			continue
		}
		score := 1 + float64(b.style.commas) + min(float64(b.style.chars)/100, 3)
		e := b.elem
		for _, share := range [...]float64{1, 0.5, 0.25} {
			if e = p.elems[e].parent; e < 0 {
				break
			}
			scores[e] += share * score
		}
	}
	best, most := int32(-1), 0.0
	for i := range scores {
		if scores[i] == 0 {
			continue
		}
		s := p.within(int32(i))
		if score := scores[i] * (1 - ratio(s.links, s.words)); score > most {
			best, most = int32(i), score
		}
	}
	for i := range scores {
		scores[i] /= max(most, 1)
	}
	p.facts.dense01 = scores
	p.step(2*len(p.elems) + len(p.Blocks))
	return best
}

// holds reports whether the block lies in the element.
func (p *Page) holds(e int32, block int) bool {
	return e >= 0 && int(p.elems[e].from) <= block && block < int(p.elems[e].to)
}

// repeats are elements that come several times side by side, such as cards,
// rows and posts.
type repeats struct {
	// of is, for each element, the outermost repeated one around it that is
	// not most of the page, or -1.
	of []int32
	// share5 and share20 are the innermost elements around it that hold so
	// many hundredths of all words.
	share5, share20 []int32
	nth             []int32 // the number of the repeated element in its set, from 0
	// most is the number of words in the largest set of repeated elements.
	sets map[uint64]set
	best set
}

// A set is what repeated elements of one path amount to.
type set struct {
	count        int
	words, links int32
	prose        int32
}

func (p *Page) findRepeats() {
	r := repeats{
		of: make([]int32, len(p.elems)), share5: make([]int32, len(p.elems)), share20: make([]int32, len(p.elems)),
		nth:  make([]int32, len(p.elems)),
		sets: map[uint64]set{},
	}
	all := p.between(0, len(p.Blocks)).words
	for i := range p.elems {
		e := &p.elems[i]
		r.of[i], r.share5[i], r.share20[i] = -1, -1, -1
		if e.parent >= 0 {
			r.of[i], r.share5[i], r.share20[i] = r.of[e.parent], r.share5[e.parent], r.share20[e.parent]
			r.nth[i] = r.nth[e.parent]
		}
		s := p.within(int32(i))
		if 20*s.words >= all {
			r.share5[i] = int32(i)
		}
		if 5*s.words >= all {
			r.share20[i] = int32(i)
		}
		if e.same >= 3 && e.to-e.from >= 2 && r.of[i] < 0 && isFrame(e) {
			r.of[i] = int32(i)
			t := r.sets[e.path]
			r.nth[i] = int32(t.count)
			t.count++
			t.words += s.words
			t.links += s.links
			t.prose += s.prose
			r.sets[e.path] = t
			if t.words > r.best.words {
				r.best = t
			}
		}
	}
	p.step(len(p.elems))
	p.facts.repeats = r
}

// isFrame reports whether an element may be one of many of a kind rather than
// a paragraph among others.
func isFrame(e *elem) bool {
	switch e.node.DataAtom {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Td, atom.Th, atom.Pre, atom.Br:
		return false
	}
	return true
}

func ratio[T int | int32](a, b T) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
