package plain

import (
	"fmt"
	"slices"

	"github.com/drover-go/drover/runs/internal/outline"
)

// itemRoles are elements that hold one of several things that look alike.
var itemRoles = []string{"row", "listitem", "article", "treeitem", "option", "group", "region", "dialog", "form", "menuitem"}

// within keeps the elements in a part of the page with one of the roles.
func within(v outline.View, all []scored, roles []string) []scored {
	return slices.DeleteFunc(slices.Clone(all), func(c scored) bool {
		return !slices.ContainsFunc(v.Around(c.at), func(i int) bool { return slices.Contains(roles, v.Lines[i].Role) })
	})
}

// items are those of a line's ancestors that hold one thing.
func items(v outline.View, at int) []int {
	return slices.DeleteFunc(v.Around(at), func(i int) bool { return !slices.Contains(itemRoles, v.Lines[i].Role) })
}

func between(all []scored, from, to int) []scored {
	return slices.DeleteFunc(slices.Clone(all), func(c scored) bool { return c.at <= from || c.at >= to })
}

// inRow returns the one of the elements that stands in the row of a text. What
// only stands near it is not meant: it may be in the row before or behind.
func inRow(v outline.View, all []scored, t target) found {
	var hits []scored
	unmarked := false
	for _, at := range mentions(v, t.near) {
		inside, marked := rowOf(v, all, at, t.row)
		unmarked = unmarked || !marked
		for _, c := range inside {
			if len(between(hits, c.at-1, c.at+1)) == 0 {
				hits = append(hits, c)
			}
		}
	}
	switch {
	case len(hits) > 0 && t.nth != 0:
		return nth(hits, t.nth)
	case len(hits) > 0:
		return only(hits, fmt.Sprintf("there are %d elements %q in the rows with %q and it is not said which is meant", len(hits), t.name, t.near))
	case unmarked:
		return found{why: fmt.Sprintf("the page does not mark its rows, so that it is not certain which %q is the one of %q; write the first, the second …", t.name, t.near)}
	}
	return found{}
}

// saying are the ways to have a text: as the whole, or else as words in it.
func saying(text string) []func(string) bool {
	return []func(string) bool{
		func(other string) bool { return normal(other) == normal(text) },
		func(other string) bool { return isPhraseOf(plainWords(text), plainWords(other)) },
	}
}

// mentions are the lines with a text.
func mentions(v outline.View, text string) (all []int) {
	for _, is := range saying(text) {
		for i, l := range v.Lines {
			if is(l.Name) || l.Value != "" && is(l.Value) {
				all = append(all, i)
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// rowOf returns the elements that stand in the row of the line: in the
// innermost item around it that has any, unless that is an item of its own kind
// beside it. marked is false where the page does not say where rows end.
func rowOf(v outline.View, all []scored, at int, row bool) (inside []scored, marked bool) {
	l, around := v.Lines[at], items(v, at)
	isItem := slices.Contains(itemRoles, l.Role)
	if isItem || l.Role != "heading" && l.Role != "cell" && l.Role != "link" {
		if inside = between(all, at, v.End(at)); len(inside) > 0 { // the group "Size"
			return inside, true
		}
	}
	if isItem {
		around = slices.Insert(around, 0, at)
	}
	if row {
		around = slices.DeleteFunc(around, func(i int) bool { return v.Lines[i].Role != "row" })
	}
	var kinds []string // of the items gone through
	for i, item := range around {
		kinds = append(kinds, v.Lines[item].Role)
		inside = slices.DeleteFunc(between(all, item, v.End(item)), func(c scored) bool { return beside(v, c.at, item, kinds) })
		if len(inside) > 0 || !opens(v, around[i+1:], kinds) {
			return inside, true
		}
	}
	return sectionOf(v, all, at)
}

// opens reports whether an item that does not have what is looked for is part
// of a larger one that may: a list in the cell of a row.
func opens(v outline.View, around []int, kinds []string) bool {
	if len(around) == 0 || slices.Contains(kinds, "row") {
		return false
	}
	role := v.Lines[around[0]].Role
	return (role == "row" || role == "article" || role == "listitem") && !slices.Contains(kinds, role)
}

// beside reports whether an element inside of an item stands in another item
// there, of a kind that the text stands in, too: a row of the same table.
func beside(v outline.View, at, item int, kinds []string) bool {
	for _, i := range items(v, at) {
		if i == item {
			break
		}
		if slices.Contains(kinds, v.Lines[i].Role) {
			return true
		}
	}
	return false
}

// sectionOf takes headings of one level for the beginnings of rows, as cards
// have them. That holds if each such section has at most one of the elements,
// the last has one, and none stands before the first: otherwise the cards may
// as well begin with what is looked for.
func sectionOf(v outline.View, all []scored, at int) (inside []scored, ok bool) {
	own := at
	for own >= 0 && v.Lines[own].Role != "heading" {
		own--
	}
	if own < 0 || v.Lines[own].Depth > v.Lines[at].Depth {
		return nil, false
	}
	parents := v.Around(own)
	first, last := -1, len(v.Lines)
	if len(parents) > 0 {
		first, last = parents[0], v.End(parents[0])
	}
	var starts []int // of the sections in the same part of the page
	for i, l := range v.Lines {
		if l.Role == "heading" && l.Level == v.Lines[own].Level && slices.Equal(v.Around(i), parents) {
			starts = append(starts, i)
		}
	}
	if len(starts) > 1 && len(between(all, first, starts[0])) > 0 {
		return nil, false
	}
	ends := append(starts[1:len(starts):len(starts)], last)
	for i, from := range starts {
		here := between(all, from, ends[i])
		if from == own {
			inside = here
		}
		if len(starts) > 1 && (len(here) > 1 || len(here) == 0 && i == len(starts)-1) {
			return nil, false
		}
	}
	return inside, true
}
