package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// A Shown is a list that people see on the page, told by what it looks like and not
// by a name.
type Shown struct {
	// Label is what stands above it, or "".
	Label string
	// Values are its items.
	Values []graph.Value
	// Unlikely says that nothing on the page looks like such a list.
	Unlikely bool
}

// orShown returns the list that people see, where there is one and what was found
// under a name is none or says less.
func (sh *shaper) orShown(p *prop, v *view, s scope, named *node) *node {
	if sh.o.Shown == nil || !p.is("recipeIngredient", "recipeInstructions") || !slices.Contains(s.entities, sh.things.document) {
		return named
	}
	shown := sh.o.Shown(p.concepts[0])
	if shown.Unlikely && p.kind == ofRecipe && named != nil && isOnlySeen(named) {
		return nil // a heading alone makes no recipe
	}
	if len(shown.Values) == 0 || named != nil && !sh.saysLess(p, named, shown) {
		return named
	}
	l := sh.newList(p, v)
	l.shown = true
	for _, value := range shown.Values {
		l.value(found{sh.things.document, shown.Label, value})
	}
	if n := l.result(); n != nil && (named == nil && n.items[0].kind == object || sh.passes(p.sub, n)) {
		return n
	}
	return named
}

// saysLess reports whether a list says less than one that people see: it was only
// seen itself, holds all in one item, misses items, or has no amounts.
func (sh *shaper) saysLess(p *prop, named *node, shown Shown) bool {
	if named.items[0].kind != scalar {
		return named.items[0].kind == object && isOnlySeen(named)
	}
	if e := named.items[0].from.entity; e == nil || e.Source == graph.Microformats {
		return true // classes name things in passing
	}
	a, b := &counted{words: map[string]int{}}, &counted{words: map[string]int{}}
	for _, n := range named.items {
		text, _ := n.value.(string)
		a.add(text)
	}
	for _, value := range shown.Values {
		b.add(value.Text)
	}
	sh.m.Step(a.all + b.all)
	if isOnlySeen(named) {
		return !p.is("recipeInstructions") || a.items <= b.items || a.hasItemsOf(b) < 1
	}
	return a.isLessThan(b, p.is("recipeIngredient"))
}

// isOnlySeen reports whether the items of a list are from what people see.
func isOnlySeen(named *node) bool {
	n := named.items[0]
	for n.kind == object && len(n.members) > 0 {
		n = n.members[0].node
	}
	e := n.from.entity
	return e != nil && (isPage(e) && e.Source != graph.Meta || e.Source >= graph.Table)
}

// counted are the words of a list.
type counted struct {
	items, amounts, all int
	words               map[string]int
	texts               []string // the words of each item
}

func (c *counted) add(text string) {
	c.items++
	if strings.ContainsAny(text, "0123456789½¼¾⅓⅔⅛") {
		c.amounts++
	}
	all := strings.FieldsFunc(mention.Fold(text), func(r rune) bool { return r < 0x80 && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	for _, word := range all {
		c.words[word]++
	}
	c.all += len(all)
	c.texts = append(c.texts, " "+strings.Join(all, " ")+" ")
}

// hasItemsOf returns which share of the items of another list are parts of this one.
func (c *counted) hasItemsOf(o *counted) float64 {
	whole, found := strings.Join(c.texts, ""), 0
	for _, text := range o.texts {
		if strings.Contains(whole, text) {
			found++
		}
	}
	return float64(found) / float64(len(o.texts))
}

// in returns which share of the words are in another list, too.
func (c *counted) in(o *counted) float64 {
	both := 0
	for word, n := range c.words {
		both += min(n, o.words[word])
	}
	return float64(both) / float64(max(c.all, 1))
}

// isLessThan reports whether the other list says more: the same in several items, more
// items, the amounts, or, where fewer is set, what belongs together in one item.
func (c *counted) isLessThan(o *counted, fewer bool) bool {
	covered := c.in(o)
	switch {
	case c.items == 1 && o.items > 1:
		return o.in(c) > 0.8 || c.all < 3
	case 2*o.items >= 3*c.items && o.items <= 4*c.items:
		return covered > 0.95 && (c.hasItemsOf(o) > 0.8 || o.hasItemsOf(c) > 0.8)
	case o.items < c.items && fewer:
		return covered > 0.97 && o.in(c) > 0.97
	case o.items >= c.items && o.items <= c.items+c.items/4 && 3*c.amounts < c.items && 2*o.amounts > o.items:
		return covered > 0.8
	}
	return false
}
