package candidates

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/page"
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
	if len(p.lists) == 0 {
		return c
	}
	likely, other := m.judge(p, kind), m.judge(p, 1-kind)
	if kind == Ingredients {
		p.withoutMentions(likely, other)
	}
	if c.Probability = slices.Max(likely); c.Probability < surely {
		return c
	}
	top := p.firstOf(slices.Index(likely, c.Probability), likely)
	end, seen, needs := 0, map[string]bool{}, float32(kin)
	if strings.Contains(top.kind, ".") {
		needs = classKin
	}
	for i := range p.lists {
		l := &p.lists[i]
		if l.Form != top.Form || l.kind != top.kind || likely[i] < max(needs, other[i]) || l.from() < end {
			continue
		}
		items := p.Items(i)
		if kind == Instructions {
			items = uncounted(items)
		}
		if isAgain(items, seen) {
			continue
		}
		if len(c.Items) == 0 && l.head >= 0 {
			c.Label = p.text[p.labels[l.head].from:p.labels[l.head].to]
		}
		c.Items, end = append(c.Items, items...), l.to()
	}
	c.Items = withoutEnds(c.Items)
	return c
}

// withoutMentions leaves out words in a line that stand in one item of what are surely
// steps: what a step takes is said again there.
func (p *Page) withoutMentions(likely, steps []float32) {
	at := map[int]int{}
	for i := range p.lists {
		if l := &p.lists[i]; steps[i] > surely && steps[i] > likely[i] && len(l.at) > 1 {
			for _, it := range l.at {
				at[it.from] = max(at[it.from], it.to)
			}
		}
	}
	for i := range p.lists {
		if page.IsBlock(p.nodes[p.lists[i].at[0].node].el) {
			continue
		}
		for n := p.lists[i].node; n >= 0; n = p.nodes[n].up {
			p.meter.Step(1)
			if to, ok := at[p.nodes[n].from]; ok && p.nodes[n].to <= to && p.nodes[n].to > p.nodes[n].from {
				likely[i] = 0
			}
		}
	}
}

// sameLikely is how much less likely a list may be than another one under the same
// label and be taken for it: both say the same in other units.
const sameLikely = 0.1

// firstOf returns the first of the lists with as many items as a list, under the same label.
func (p *Page) firstOf(best int, likely []float32) *List {
	top := &p.lists[best]
	for i := range p.lists[:best] {
		l := &p.lists[i]
		if l.head == top.head && l.Form == top.Form && len(l.at) == len(top.at) && l.to() <= top.from() && likely[i] >= likely[best]-sameLikely {
			return l
		}
	}
	return top
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
		for words := strings.Fields(it.Text); len(end) > 0 && (len(words) <= len(end) || !slices.Equal(words[len(words)-len(end):], end)); {
			end = end[1:]
		}
	}
	if len(end) < few {
		return items
	}
	return bare(items, func(_ int, text string) string {
		words := strings.Fields(text)
		return strings.Join(words[:len(words)-len(end)], " ")
	})
}

func bare(items []Item, textOf func(int, string) string) []Item {
	all := slices.Clone(items)
	for i := range all {
		all[i].Text = textOf(i, all[i].Text)
	}
	return all
}

// uncounted takes the numbers off items that each begin with their own, where
// no mark would tell it from an amount.
func uncounted(items []Item) []Item {
	all := len(items) > 1
	without := bare(items, func(i int, text string) string {
		rest, ok := strings.CutPrefix(text, strconv.Itoa(i+1))
		apart := strings.TrimLeft(rest, ".):- ")
		// Three that count are no amounts; of two, words tell it.
		all = all && ok && apart != "" && (strings.IndexFunc(apart, unicode.IsUpper) == 0 || len(items) > 2 && len(apart) < len(rest))
		return apart
	})
	if !all {
		return items
	}
	return without
}
