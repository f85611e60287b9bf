// Package blocks cuts a page into blocks, which are the runs of text that
// stand on lines of their own, and describes each by numbers: what its text is
// like, in what elements it stands, what is around it, what page it is on. The
// numbers say nothing of what the page is about or whose it is.
//
// All of it is done in a fixed number of passes over the tree and the blocks.
package blocks

import (
	"net/url"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// A Page is a page cut into blocks.
type Page struct {
	Blocks []Block
	// Root is the tree that the blocks lie in: the one that was given, or one
	// read from a noscript element.
	Root *html.Node
	// URL is the address of the page, or nil.
	URL *url.URL

	elems []elem
	texts []*html.Node
	// sums[i] is what the blocks before the i-th amount to.
	sums []sum
	// groups are the blocks that are reached by the same path, keyed by Block.path.
	groups map[uint64]group
	facts  facts
	step   func(int)
}

// A Block is a run of text between two places where a line begins.
type Block struct {
	// Words are counted as runs of letters and digits; in scripts that part no
	// words two characters count as one.
	Words, LinkWords int

	from, to int // of Page.texts
	elem     int32
	tag      atom.Atom
	inside   inside
	near     nearness
	path     uint64
	style    style
	hash     uint64
}

// An elem is an element that has text, or might have had.
type elem struct {
	node   *html.Node
	parent int32
	depth  int32
	sign   uint64 // of the element's name and first class
	path   uint64 // of the signs down to the element
	from   int32  // the first block within
	to     int32  // the one behind the last
	// kids are the elements right below, same those with the sign of this one
	// right below its parent.
	kids, same int32
	words      vocabulary
}

// sum is what a run of blocks amounts to.
type sum struct {
	words, links, prose, chars, stops int32
}

func (s sum) minus(o sum) sum {
	return sum{s.words - o.words, s.links - o.links, s.prose - o.prose, s.chars - o.chars, s.stops - o.stops}
}

// between returns what the blocks from and up to to amount to.
func (p *Page) between(from, to int) sum { return p.sums[to].minus(p.sums[from]) }

func (p *Page) within(e int32) sum {
	return p.between(int(p.elems[e].from), int(p.elems[e].to))
}

// Texts returns the texts that a block is made of, in order.
func (p *Page) Texts(i int) []*html.Node { return p.texts[p.Blocks[i].from:p.Blocks[i].to] }

// Base returns the first element that says what the page's addresses are
// relative to, or nil.
func (p *Page) Base() *html.Node { return p.facts.base }

// Read cuts the tree into blocks, without changing it. It calls step with the
// work that was done, a node or 64 bytes of text being 1. parse reads what
// stands in a noscript element.
//
// A page that its scripts make may carry its text for those that run none: if
// a noscript element holds more words than all that is shown, the page is what
// stands there.
func Read(doc *html.Node, address *url.URL, step func(int), parse func(string) (*html.Node, error)) (*Page, error) {
	f := lookAt(doc, step)
	p := cut(doc, address, f.size, step)
	if len(f.noscript) > spareSize {
		other, err := parse(f.noscript)
		if err != nil {
			return nil, err
		}
		if q := cut(other, address, size{}, step); q.words() > 2*p.words() {
			p = q
		}
	}
	p.know(f)
	return p, nil
}

// spareSize is the length in bytes above which a noscript element may hold the
// content of the page.
const spareSize = 1000

// size is how large a page may become: growing it takes several times its memory.
type size struct{ elems, texts, blocks int }

// count counts a node. A text opens a block if nothing of its line stands
// before it, as far as can be seen from here.
func (s *size) count(n *html.Node) {
	switch n.Type {
	case html.ElementNode:
		if Breaks(n) {
			s.elems++
		}
	case html.TextNode:
		s.texts++
		if prev := n.PrevSibling; (prev == nil || prev.Type == html.ElementNode && Breaks(prev)) && !tree.IsBlank(n) {
			s.blocks++
		}
	}
}

// cut reads a tree of about that size.
func cut(doc *html.Node, address *url.URL, s size, step func(int)) *Page {
	p := &Page{Root: doc, URL: address, step: step}
	p.elems, p.texts = make([]elem, 0, s.elems), make([]*html.Node, 0, s.texts)
	p.Blocks = make([]Block, 0, s.blocks)
	c := cutter{Page: p, open: -1, known: map[string]vocabulary{}}
	c.cut(doc)
	p.countSame()
	p.addUp()
	p.group()
	return p
}

func (p *Page) words() int { return int(p.sums[len(p.Blocks)].words) }

// addUp fills the sums.
func (p *Page) addUp() {
	p.sums = make([]sum, len(p.Blocks)+1)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		s := p.sums[i]
		s.words += int32(b.Words)
		s.links += int32(b.LinkWords)
		s.chars += int32(b.style.chars)
		s.stops += int32(b.style.stops)
		if b.isProse() {
			s.prose += int32(b.Words)
		}
		p.sums[i+1] = s
	}
}

// isProse reports whether the block reads like sentences.
func (b *Block) isProse() bool {
	return b.Words >= 10 && b.style.stops > 0 && 3*b.LinkWords < b.Words
}

// countSame counts siblings of the same sign.
func (p *Page) countSame() {
	type key struct {
		parent int32
		sign   uint64
	}
	counts := make(map[key]int32, len(p.elems)/8)
	for i := range p.elems {
		e := &p.elems[i]
		counts[key{e.parent, e.sign}]++
		if e.parent >= 0 {
			p.elems[e.parent].kids++
		}
	}
	for i := range p.elems {
		e := &p.elems[i]
		e.same = counts[key{e.parent, e.sign}]
	}
	p.step(2 * len(p.elems))
}

// A group is what the blocks of one path amount to.
type group struct {
	blocks int
	sum    sum
	first  int
	last   int
}

func (p *Page) group() {
	p.groups = make(map[uint64]group, len(p.Blocks)/8)
	for i := range p.Blocks {
		g, ok := p.groups[p.Blocks[i].path]
		if !ok {
			g.first = i
		}
		s := p.between(i, i+1)
		g.blocks++
		g.last = i
		g.sum = sum{g.sum.words + s.words, g.sum.links + s.links, g.sum.prose + s.prose, g.sum.chars + s.chars, g.sum.stops + s.stops}
		p.groups[p.Blocks[i].path] = g
	}
	p.step(len(p.Blocks))
}
