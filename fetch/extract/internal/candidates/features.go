package candidates

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"
)

// What is counted in the items of a list: their words, and of how many of them
// something is so.
const (
	wordCount = iota
	longest
	shortest
	amounts
	units
	foods
	verbs
	times
	ends
	sentences
	digits
	commas
	colons
	lower
	prices
	repeats
	counted
	links

	stats
)

// A stat is what is counted. All but the lengths are shares.
type stat [stats]float32

// add counts one more if something is so.
func (s *stat) add(what int, is bool) { s[what] += has(is) }

func (p *Page) statOf(l *List) (s stat) {
	seen := map[string]bool{}
	s[shortest] = math.MaxInt32
	for k, it := range l.at {
		text := oneLine(p.text[it.from:it.to])
		p.meter.Read(4 * len(text))
		s.addItem(text, k)
		s.add(repeats, seen[text])
		seen[text] = true
		if it.node != l.node {
			node := &p.nodes[it.node]
			s[links] += float32(node.links) / float32(max(node.size(), 1))
		}
	}
	for what := range s {
		if what != longest && what != shortest {
			s[what] /= float32(len(l.at))
		}
	}
	return s
}

// addItem counts what is in one item.
func (s *stat) addItem(text string, k int) {
	n := 0
	var said sense
	for word := range words(text) {
		senses := spoken()[word]
		switch {
		case n == 0:
			said |= senses & (ofUnit | ofVerb)
		case n < 3:
			said |= senses & ofUnit
		}
		said |= senses & (ofFood | ofTime)
		n++
	}
	s[wordCount] += float32(n)
	s[longest], s[shortest] = max(s[longest], float32(n)), min(s[shortest], float32(n))
	s.add(verbs, said&ofVerb != 0)
	s.add(units, said&ofUnit != 0)
	s.add(foods, said&ofFood != 0)
	s.add(times, said&ofTime != 0)
	s.add(amounts, strings.IndexFunc(text, isFigure) == 0)
	s.add(counted, strings.HasPrefix(text, counts[min(k, len(counts)-1)]) || strings.HasPrefix(strings.ToLower(text), "step"))
	s.add(digits, strings.ContainsAny(text, "0123456789½¼¾⅓⅔⅛"))
	s.add(commas, strings.Contains(text, ","))
	s.add(colons, strings.Contains(text, ": "))
	s.add(prices, strings.ContainsAny(text, "$€£¥"))
	s.add(lower, strings.IndexFunc(text, unicode.IsLower) == 0)
	s.add(ends, strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "。"))
	s[sentences] += float32(strings.Count(text, ". ") + strings.Count(text, "。"))
}

var counts = [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "\x00"}

// isFigure reports whether an amount begins with a character: a digit or a fraction.
func isFigure(c rune) bool { return c >= '0' && c <= '9' || unicode.Is(unicode.No, c) }

func has(is bool) float32 {
	if is {
		return 1
	}
	return 0
}

// describe gives each list its features: those of its items, of what stands
// above it, of its names, of where it stands, and how it compares to the others.
func (p *Page) describe() {
	all := make([]stat, len(p.lists))
	var best stat
	for i := range p.lists {
		all[i] = p.statOf(&p.lists[i])
		if len(p.lists[i].at) > 2 {
			for what := range best {
				best[what] = max(best[what], all[i][what])
			}
		}
	}
	for i := range p.lists {
		l, s := &p.lists[i], &all[i]
		row := make([]float32, 0, Width)
		for form := Marked; form <= Lines; form++ {
			row = append(row, has(l.Form == form))
		}
		row = append(append(row, float32(len(l.at))), s[:]...)
		row = append(row, has(p.nodes[l.node].is(atom.Ol)))
		row = p.placeRow(p.aboveRow(row, l), l)
		row = append(row, s[amounts]-best[amounts], s[foods]-best[foods], s[units]-best[units], best[amounts], best[units])
		for _, step := range [...]int{-1, 1} { // directions stand under ingredients
			if k, gap := p.beside(i, step); k < 0 {
				row = append(row, 0, 0, 0, 0, 0, 0)
			} else {
				o := &all[k]
				row = append(row, o[wordCount], o[amounts], o[units], o[verbs], o[ends], logOf(gap))
			}
		}
		l.row = row
	}
}

// logOf makes lengths comparable.
func logOf(n int) float32 { return float32(math.Log1p(float64(max(n, 0)))) }

// nowhere stands for the distance of what is not there.
const nowhere = 15

func (p *Page) aboveRow(row []float32, l *List) []float32 {
	if l.head < 0 {
		return append(row, nowhere, 0, 0, 0, 0, nowhere, nowhere, nowhere, 0, 0)
	}
	h := p.labels[l.head]
	row = append(row, logOf(l.from()-h.to), has(h.said&ofIngredients != 0), has(h.said&ofInstructions != 0), has(h.said&ofOther != 0), has(h.heading))
	for _, k := range h.last {
		if k < 0 {
			row = append(row, nowhere)
		} else {
			row = append(row, logOf(l.from()-p.labels[k].to))
		}
	}
	return append(row, has(h.last[0] > h.last[1]), float32(l.head-slices.Max(h.last[:2])))
}

func (p *Page) placeRow(row []float32, l *List) []float32 {
	at, inner := p.nodes[l.node].place, p.nodes[l.at[0].node].place
	for _, d := range slices.Concat(at.near[:], inner.near[:3]) {
		row = append(row, float32(d))
	}
	return append(row, has(at.aside), has(at.article), has(at.form), float32(l.from())/float32(len(p.text)), logOf(len(p.text)), has(p.recipe))
}

// maxBeside is how many lists further another one is looked for.
const maxBeside = 7

// beside returns the list before another, or behind it, that shares nothing with
// it, or -1, and how far it is.
func (p *Page) beside(i, step int) (at, gap int) {
	for n := 1; n <= maxBeside; n++ {
		k := i + n*step
		if k < 0 || k >= len(p.lists) {
			break
		}
		if gap = p.lists[max(i, k)].from() - p.lists[min(i, k)].to(); gap >= 0 {
			return k, gap
		}
	}
	return -1, 0
}

// Width is how many features a list has.
const Width = 65
