package candidates

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Surely is from when on a list is taken, and kin what another of its kind needs to
// belong to it, if it is not likelier of the other kind: less where classes say that they
// are built for the same.
const (
	surely   = 0.5
	kin      = 0.3
	classKin = 0.02
)

// A Choice is the items of what lists of one kind say together.
type Choice struct {
	Items []Item
	// Probability is that of the likeliest list.
	Probability float32
	// Label is what stands above the first list, or "".
	Label string
}

// Choose returns what the page lists of a kind: the likeliest list, with those
// that are built like it and are likely, too, in the order of the page. It
// returns no items where no list is likely.
func (p *Page) Choose(m *Model, kind Kind) (c Choice) {
	likely, other := m.judge(p, kind), m.judge(p, 1-kind)
	best := -1
	for i, v := range likely {
		if best < 0 || v > likely[best] {
			best = i
		}
	}
	if best < 0 {
		return c
	}
	if c.Probability = likely[best]; c.Probability < surely {
		return c
	}
	best = p.firstOf(best, likely)
	top := &p.lists[best]
	end, seen, needs := 0, map[string]bool{}, float32(kin)
	if strings.Contains(top.kind, ".") {
		needs = classKin
	}
	for i := range p.lists {
		l := &p.lists[i]
		if l.Form != top.Form || l.kind != top.kind || likely[i] < max(needs, other[i]) || l.at[0].from < end {
			continue
		}
		items := p.Items(i)
		if kind == Instructions {
			items = uncounted(items)
		}
		if isAgain(items, seen) {
			continue
		}
		if len(c.Items) == 0 {
			c.Label = p.above(l)
		}
		c.Items, end = append(c.Items, items...), l.at[len(l.at)-1].to
	}
	c.Items = withoutEnds(c.Items)
	return c
}

// sameLikely is how much less likely a list may be than another one under the same
// label and be taken for it: both say the same in other units.
const sameLikely = 0.1

// firstOf returns the first of the lists with as many items as a list, under the same label.
func (p *Page) firstOf(best int, likely []float32) int {
	top := &p.lists[best]
	for i := range best {
		l := &p.lists[i]
		if l.head == top.head && l.Form == top.Form && len(l.at) == len(top.at) && l.at[len(l.at)-1].to <= top.at[0].from && likely[i] >= likely[best]-sameLikely {
			return i
		}
	}
	return best
}

// above returns the label of a list, or "".
func (p *Page) above(l *List) string {
	if l.head < 0 {
		return ""
	}
	h := p.labels[l.head]
	return p.text[h.from:h.to]
}

// isAgain reports whether all items were seen, in another rendering of the same list, and
// takes note of them.
func isAgain(items []Item, seen map[string]bool) bool {
	again := true
	for _, it := range items {
		again = again && seen[it.Text]
		seen[it.Text] = true
	}
	return again
}

// withoutEnds takes off what all items end with: what a button in each of them says.
func withoutEnds(items []Item) []Item {
	const least, few = 4, 2 // items, and words: several kinds of flour end with one
	if len(items) < least {
		return items
	}
	end := strings.Fields(items[0].Text)
	for _, it := range items[1:] {
		words := strings.Fields(it.Text)
		n := 0
		for n < len(end) && n < len(words)-1 && words[len(words)-1-n] == end[len(end)-1-n] {
			n++
		}
		end = end[len(end)-n:]
	}
	if len(end) < few {
		return items
	}
	bare := make([]Item, len(items))
	for i, it := range items {
		words := strings.Fields(it.Text)
		bare[i] = Item{strings.Join(words[:len(words)-len(end)], " "), it.Element}
	}
	return bare
}

// uncounted takes the numbers off items that each begin with their own, where
// no mark would tell it from an amount.
func uncounted(items []Item) []Item {
	bare := make([]Item, len(items))
	for i, it := range items {
		rest, ok := strings.CutPrefix(it.Text, strconv.Itoa(i+1))
		rest = strings.TrimLeft(rest, ".):- ")
		first, _ := utf8.DecodeRuneInString(rest)
		if !ok || !unicode.IsUpper(first) {
			return items
		}
		bare[i] = Item{rest, it.Element}
	}
	if len(items) < 2 {
		return items
	}
	return bare
}
