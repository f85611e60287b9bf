package blocks

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// Settle evens out a choice where a reader would stumble over it: listings of
// code, tables and figures between what is kept are kept too, lists
// of short items go or stay as a whole, and no heading is left without what it
// stands over. The heading of the page is kept, once. A block that surely is content,
// or surely is not, stays as it was, but for remarks within the text.
func (p *Page) Settle(keep []bool, likely []float32, c Care) []bool {
	s := settler{Page: p, keep: append([]bool(nil), keep...), likely: likely}
	if c == OnlyCode {
		s.keepWholes(surelyNot, atom.Pre)
		s.keepWholes(inDoubt, atom.Figure)
	} else {
		s.evenLists()
		if c == NoQuotes {
			s.evenPosts()
		}
		s.keepWholes(surelyNot, atom.Pre, atom.Table, atom.Figure, atom.Ul, atom.Ol, atom.Dl)
		s.keepRemarks(c != NoQuotes)
		s.dropBareHeadings()
		s.keepTitle()
		if c == WithOffer {
			s.keepUnderTitle()
		}
	}
	s.dropTwins()
	p.step(2*len(p.elems) + 8*len(keep))
	return s.keep
}

// KeepTitle adds the heading of the page to a choice, once.
func (p *Page) KeepTitle(keep []bool, likely []float32) []bool {
	s := settler{Page: p, keep: append([]bool(nil), keep...), likely: likely}
	s.keepTitle()
	s.dropTwins()
	p.step(4 * len(keep))
	return s.keep
}

// Care says what of a page is kept beside what was chosen.
type Care uint8

const (
	// All is all that a reader would miss.
	All Care = iota
	// NoQuotes leaves out the quotes: in a forum they repeat what stands above,
	// and keeping them was measured to lose. What posts have in common is treated
	// alike.
	NoQuotes
	// OnlyCode is for articles, which are known best: code, and captions that
	// might as well have been chosen.
	OnlyCode
	// WithOffer is all, and what stands under the heading of a product.
	WithOffer
)

// CareFor returns what a page of a type is treated with.
func CareFor(pageType string) Care {
	switch pageType {
	case "article":
		return OnlyCode
	case "forum":
		return NoQuotes
	case "product":
		return WithOffer
	}
	return All
}

type settler struct {
	*Page
	keep   []bool
	likely []float32
	kept   []int32 // words that were kept of the blocks before each one
}

// Blocks below the first are surely no content, a page's heading below the
// second is surely not part of it, blocks from the third on may be content, and
// those from the fourth on surely are.
const (
	surelyNot = 0.2
	noTitle   = 0.05
	inDoubt   = 0.4
	surely    = 0.5
)

func (s *settler) set(e *elem, keep bool) {
	for i := e.from; i < e.to; i++ {
		s.setOne(int(i), keep)
	}
}

func (s *settler) setOne(i int, keep bool) {
	if keep && s.likely[i] >= surelyNot || !keep && s.likely[i] < surely {
		s.keep[i] = keep
	}
}

// evenLists keeps lists of which most is kept, and drops the others.
func (s *settler) evenLists() {
	for i := range s.elems {
		e := &s.elems[i]
		if !isList(e.node.DataAtom) || e.to-e.from < 2 || e.to-e.from > e.kids {
			continue // its items are more than texts
		}
		yes, all := 0, 0
		for j := e.from; j < e.to; j++ {
			words := s.Blocks[j].Words + 1
			all += words
			if s.keep[j] {
				yes += words
			}
		}
		s.set(e, 2*yes >= all)
	}
}

func isList(tag atom.Atom) bool { return tag == atom.Ul || tag == atom.Ol || tag == atom.Dl }

// evenPosts treats the short texts of one path in like elements, such as the
// names above the posts of a thread, as most of them are.
func (s *settler) evenPosts() {
	type votes struct{ yes, all int }
	paths := map[uint64]votes{}
	short := func(i int) bool {
		return s.Blocks[i].Words < 12 && s.facts.repeats.of[s.Blocks[i].elem] >= 0
	}
	for i := range s.keep {
		if short(i) {
			v := paths[s.Blocks[i].path]
			v.all++
			if s.keep[i] {
				v.yes++
			}
			paths[s.Blocks[i].path] = v
		}
	}
	for i := range s.keep {
		if v := paths[s.Blocks[i].path]; short(i) && v.all > 2 {
			s.setOne(i, 2*v.yes >= v.all)
		}
	}
}

// keepWholes keeps what interrupts the text that is kept, and its heading, where
// it is as likely as that.
func (s *settler) keepWholes(least float32, tags ...atom.Atom) {
	s.kept = keptWords(s.Page, s.keep)
	end := int32(0)
	for i := range s.elems {
		e := &s.elems[i]
		if e.from < end || e.to <= e.from || e.parent < 0 || !slices.Contains(tags, e.node.DataAtom) || !s.interrupts(e) {
			continue
		}
		if sum := s.within(int32(i)); 2*sum.links > sum.words {
			continue
		}
		for j := e.from; j < e.to; j++ {
			s.keep[j] = s.keep[j] || s.likely[j] >= least
		}
		end = e.to
		if e.from > s.elems[e.parent].from && s.Blocks[e.from-1].inside&inHeading != 0 {
			s.setOne(int(e.from-1), true)
		}
	}
}

// interrupts reports whether what stands right before and behind an element,
// in the same parent, is kept. Code and tables may also end what is kept, and
// a table may lie anywhere in what is mostly kept.
func (s *settler) interrupts(e *elem) bool {
	around := &s.elems[e.parent]
	before := e.from > around.from && s.keep[e.from-1]
	behind := e.to < around.to && s.keep[e.to]
	last := e.to == around.to
	switch e.node.DataAtom {
	case atom.Pre:
		return before || behind
	case atom.Table:
		return before && (behind || last) || s.mostlyKept(around, e)
	case atom.Figure:
		return before && (behind || last)
	case atom.Ul, atom.Ol, atom.Dl:
		return before && behind
	}
	return false
}

// mostlyKept reports whether most words around an element, in the one that it
// lies in, are kept.
func (s *settler) mostlyKept(around, e *elem) bool {
	all := s.between(int(around.from), int(around.to)).words - s.between(int(e.from), int(e.to)).words
	yes := s.kept[around.to] - s.kept[around.from] - (s.kept[e.to] - s.kept[e.from])
	return yes > 0 && 2*yes >= all
}

// dropBareHeadings drops headings whose section was dropped. One that links is
// more than a heading.
func (s *settler) dropBareHeadings() {
	for i := len(s.keep) - 1; i >= 0; i-- {
		b := &s.Blocks[i]
		if s.keep[i] && b.inside&inHeading != 0 && b.tag != atom.H1 && b.LinkWords == 0 && s.isBare(i) {
			s.setOne(i, false)
		}
	}
}

// isBare reports whether there is a section below a heading of which nothing is
// kept.
func (s *settler) isBare(heading int) bool {
	level := headingLevel(s.Blocks[heading].tag)
	lost := false
	for i := heading + 1; i < len(s.keep); i++ {
		b := &s.Blocks[i]
		switch {
		case b.inside&inHeading != 0 && headingLevel(b.tag) <= level:
			return lost
		case s.keep[i]:
			return false
		case b.Words > 0:
			lost = true
		}
	}
	return lost
}

// keepTitle keeps the heading of the page if something behind it is kept.
func (s *settler) keepTitle() {
	title := s.titleHeading()
	if title < 0 {
		return
	}
	for i := title + 1; i < len(s.keep); i++ {
		if s.keep[i] {
			s.keep[title] = s.keep[title] || s.likely[title] >= noTitle
			return
		}
	}
}

// keepUnderTitle keeps what stands under the heading of the page, in the same
// element: the price of a product, and whether it is there.
func (s *settler) keepUnderTitle() {
	title := s.titleHeading()
	if title < 0 || !s.keep[title] {
		return
	}
	around := s.elems[s.Blocks[title].elem].parent
	for i := title + 1; around >= 0 && i < int(s.elems[around].to) && !s.keep[i]; i++ {
		if s.elems[s.Blocks[i].elem].parent == around {
			s.setOne(i, true)
		}
		if !s.keep[i] {
			return
		}
	}
}

// dropTwins drops what repeats the heading of the page where that is kept.
func (s *settler) dropTwins() {
	title := s.titleHeading()
	if title < 0 || !s.keep[title] {
		return
	}
	for i := range s.keep {
		if i != title && s.Blocks[i].hash == s.Blocks[title].hash {
			s.keep[i] = false
		}
	}
}

// titleHeading returns the heading of the page: the only one of the first
// level in the open, or the first of those that the title of the page holds
// half of; -1 for none.
func (s *settler) titleHeading() int {
	found, only := -1, true
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.tag != atom.H1 || b.Words == 0 || b.inside&(inNav|inFooter|inAside|inDialog|inHidden) != 0 {
			continue
		}
		if said := s.listen(i); 2*said.inTitle >= said.words && said.words > 0 {
			return i
		}
		only = found < 0
		found = i
	}
	if only {
		return found
	}
	return -1
}
