package candidates

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"
)

// A stat is what is counted in the items of a list.
type stat struct {
	words, longest, shortest                             float64
	amounts, units, foods, verbs, times, ends, sentences float64
	digits, commas, colons, lower, prices, repeats       float64
	counted, links                                       float64
}

// statOf looks at each item of a list. All but the lengths are shares.
func (p *Page) statOf(l *List) (s stat) {
	seen := map[string]bool{}
	s.shortest = math.MaxInt32
	for k, it := range l.at {
		text := oneLine(p.text[it.from:it.to])
		p.meter.Read(4 * len(text))
		n := float64(p.addItem(&s, text, k))
		s.words += n
		s.longest, s.shortest = max(s.longest, n), min(s.shortest, n)
		if seen[text] {
			s.repeats++
		}
		seen[text] = true
		if it.node != l.node {
			node := &p.nodes[it.node]
			s.links += float64(node.links) / float64(max(node.size(), 1))
		}
	}
	n := float64(len(l.at))
	for _, share := range [...]*float64{&s.words, &s.amounts, &s.units, &s.foods, &s.verbs, &s.times, &s.ends, &s.sentences, &s.digits, &s.commas, &s.colons, &s.lower, &s.prices, &s.repeats, &s.counted, &s.links} {
		*share /= n
	}
	return s
}

// addItem counts what is in one item and returns the number of its words.
func (p *Page) addItem(s *stat, text string, k int) (n int) {
	first := true
	var said sense
	for word := range words(text) {
		senses := spoken()[word]
		if first && senses&ofVerb != 0 {
			s.verbs++
		}
		if n < 3 {
			said |= senses & ofUnit
		}
		said |= senses & (ofFood | ofTime)
		first = false
		n++
	}
	s.units += has(said&ofUnit != 0)
	s.foods += has(said&ofFood != 0)
	s.times += has(said&ofTime != 0)
	s.amounts += has(beginsWithAmount(text))
	s.counted += has(strings.HasPrefix(text, counts[min(k, len(counts)-1)]) || strings.HasPrefix(strings.ToLower(text), "step"))
	s.digits += has(strings.ContainsAny(text, "0123456789½¼¾⅓⅔⅛"))
	s.commas += has(strings.Contains(text, ","))
	s.colons += has(strings.Contains(text, ": "))
	s.prices += has(strings.ContainsAny(text, "$€£¥"))
	s.lower += has(strings.IndexFunc(text, unicode.IsLower) == 0)
	s.ends += has(strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "。"))
	s.sentences += float64(strings.Count(text, ". ") + strings.Count(text, "。"))
	return n
}

var counts = [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "\x00"}

// beginsWithAmount reports whether a text begins with a number or a fraction.
func beginsWithAmount(text string) bool {
	for _, c := range text {
		return c >= '0' && c <= '9' || unicode.Is(unicode.No, c)
	}
	return false
}

func has(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// describe gives each list its features: those of its items, of what stands
// above it, of its names, of where it stands, and how it compares to the others.
func (p *Page) describe() {
	stats := make([]stat, len(p.lists))
	var best stat
	for i := range p.lists {
		stats[i] = p.statOf(&p.lists[i])
		if n := float64(len(p.lists[i].at)); n > 2 {
			best.amounts = max(best.amounts, stats[i].amounts)
			best.foods = max(best.foods, stats[i].foods)
			best.units = max(best.units, stats[i].units)
		}
	}
	all := p.saidBefore()
	for i := range p.lists {
		l, s := &p.lists[i], &stats[i]
		row := p.statRow(l, s)
		row = p.aboveRow(row, l, all)
		row = p.placeRow(row, l)
		row = append(row, s.amounts-best.amounts, s.foods-best.foods, s.units-best.units, best.amounts, best.units)
		row = p.nearRow(row, i, stats)
		l.row = make([]float32, len(row))
		for k, v := range row {
			l.row[k] = float32(v)
		}
	}
}

func (p *Page) statRow(l *List, s *stat) []float64 {
	row := make([]float64, 0, Width)
	for form := Marked; form <= Lines; form++ {
		row = append(row, has(l.Form == form))
	}
	return append(row, float64(len(l.at)), s.words, s.longest, s.shortest, s.amounts, s.units, s.foods, s.verbs, s.times, s.ends, s.sentences, s.digits, s.commas, s.colons,
		s.lower, s.prices, s.repeats, s.counted, s.links, has(p.nodes[l.node].is(atom.Ol)))
}

// saidBefore returns, for each label, the last one up to it that says
// ingredients, instructions and something else.
func (p *Page) saidBefore() [][3]int {
	all := make([][3]int, len(p.labels))
	last := [3]int{-1, -1, -1}
	for i, l := range p.labels {
		for k, kind := range [...]sense{ofIngredients, ofInstructions, ofOther} {
			if l.said&kind != 0 {
				last[k] = i
			}
		}
		all[i] = last
	}
	return all
}

// logOf makes lengths comparable.
func logOf(n int) float64 { return math.Log1p(float64(max(n, 0))) }

// nowhere stands for the distance of what is not there.
const nowhere = 15

func (p *Page) aboveRow(row []float64, l *List, all [][3]int) []float64 {
	if l.head < 0 {
		return append(row, nowhere, 0, 0, 0, 0, nowhere, nowhere, nowhere, 0, 0)
	}
	from := l.at[0].from
	h := p.labels[l.head]
	row = append(row, logOf(from-h.to), has(h.said&ofIngredients != 0), has(h.said&ofInstructions != 0), has(h.said&ofOther != 0), has(h.heading))
	for _, k := range all[l.head] {
		if k < 0 {
			row = append(row, nowhere)
		} else {
			row = append(row, logOf(from-p.labels[k].to))
		}
	}
	last := all[l.head]
	return append(row, has(last[0] > last[1]), float64(l.head-slices.Max(last[:2])))
}

func (p *Page) placeRow(row []float64, l *List) []float64 {
	n := &p.nodes[l.node]
	inner := p.nodes[l.at[0].node].place
	if l.at[0].node == l.node {
		inner = n.place
	}
	return append(row, float64(n.place.ingredients), float64(n.place.instructions), float64(n.place.other), float64(n.place.recipe),
		float64(inner.ingredients), float64(inner.instructions), float64(inner.other), has(n.place.aside), has(n.place.article), has(n.place.form),
		float64(l.at[0].from)/float64(len(p.text)), logOf(len(p.text)), has(p.recipe))
}

// nearRow adds what the lists before and behind have: directions stand under
// ingredients.
func (p *Page) nearRow(row []float64, i int, stats []stat) []float64 {
	l := &p.lists[i]
	end := l.at[len(l.at)-1].to
	before, behind := -1, -1
	for k := i - 1; k >= 0 && k > i-8 && before < 0; k-- {
		if o := &p.lists[k]; o.at[len(o.at)-1].to <= l.at[0].from {
			before = k
		}
	}
	for k := i + 1; k < len(p.lists) && k < i+8 && behind < 0; k++ {
		if p.lists[k].at[0].from >= end {
			behind = k
		}
	}
	for _, k := range [...]int{before, behind} {
		if k < 0 {
			row = append(row, 0, 0, 0, 0, 0, 0)
			continue
		}
		s := &stats[k]
		gap := p.lists[k].at[0].from - end
		if k == before {
			o := p.lists[k].at
			gap = l.at[0].from - o[len(o)-1].to
		}
		row = append(row, s.words, s.amounts, s.units, s.verbs, s.ends, logOf(gap))
	}
	return row
}

// Width is how many features a list has.
const Width = 65
