package outline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/browser"
)

// piece is a line of a view as it is written, or lines that are left out.
type piece struct {
	at   int // the line, or the first that is left out
	text string
	gap  int // how many are left out; 0 for a line
	note string
}

// pieces are the lines that fit the limit, and what is left out between them.
func (v View) pieces(limit int) []piece {
	texts, size := v.texts()
	switch {
	case len(v.Gaps) > 0:
		return v.withGaps(texts, limit)
	case size <= limit:
		return v.first(texts, size)
	}
	keep := v.nearest(texts, limit)
	if keep == nil {
		return v.first(texts, limit)
	}
	return v.kept(texts, keep)
}

func (v View) texts() (texts []string, size int) {
	s := style{site: siteOf(v.Page.URL), full: v.Full}
	texts = make([]string, len(v.Lines))
	for i, l := range v.Lines {
		texts[i] = l.text(s)
		size += len(texts[i]) + 1
	}
	return texts, size
}

// first are the lines from the first one on.
func (v View) first(texts []string, limit int) (all []piece) {
	size := 0
	for i, text := range texts {
		if size += len(text) + 1; size > limit && i > 0 {
			break
		}
		all = append(all, piece{at: i, text: text})
	}
	return all
}

// withGaps are the lines and the gaps that the view has.
func (v View) withGaps(texts []string, limit int) (all []piece) {
	gaps := v.Gaps
	for _, p := range v.first(texts, limit) {
		for len(gaps) > 0 && gaps[0].At <= p.at {
			all = append(all, piece{at: p.at, gap: gaps[0].Lines})
			gaps = gaps[1:]
		}
		all = append(all, p)
	}
	if len(gaps) == 1 && len(v.Lines) <= gaps[0].At {
		all = append(all, piece{at: len(v.Lines), gap: gaps[0].Lines})
	}
	return all
}

// shortGap is how many bytes of lines take no more room than to say that they are
// left out.
const shortGap = 64

// gapRoom is what is kept free of the limit for telling what is left out.
const gapRoom = 16

// nearest chooses the lines that can be seen, and as many as fit of those that
// are nearest to them, each with what it stands in. It is nil where the view does
// not begin at the beginning, or does not say what can be seen.
func (v View) nearest(texts []string, limit int) (keep []bool) {
	far := v.distances()
	if v.First > 0 || far == nil {
		return nil
	}
	order := make([]int, len(v.Lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(far[a], far[b]) })
	if i := slices.Index(order, 0); i > 0 { // lines from 0 on are these again: what is left out begins behind
		order = slices.Insert(slices.Delete(order, i, i+1), 1, 0)
	}
	keep = make([]bool, len(v.Lines))
	around := v.parents()
	left := limit - limit/gapRoom
	for n, i := range order {
		need := 0
		for a := i; a >= 0 && !keep[a]; a = around[a] {
			need += len(texts[a]) + 1
		}
		if need > left && n > 0 {
			break
		}
		left -= need
		for a := i; a >= 0 && !keep[a]; a = around[a] {
			keep[a] = true
		}
	}
	return keep
}

// distances are how many lines each is away from one that can be seen and holds no
// other; nil where all can, or none.
func (v View) distances() []int {
	seen := func(i int) bool {
		holds := i+1 < len(v.Lines) && v.Lines[i+1].Depth > v.Lines[i].Depth
		return !holds && !v.Lines[i].States.Has(browser.Outside)
	}
	far := make([]int, len(v.Lines))
	near, found, hidden := len(v.Lines), false, false
	for i, l := range v.Lines {
		if near++; seen(i) {
			near, found = 0, true
		}
		hidden = hidden || l.States.Has(browser.Outside)
		far[i] = near
	}
	if !found || !hidden {
		return nil
	}
	near = len(v.Lines)
	for i := len(far) - 1; i >= 0; i-- {
		if near++; far[i] == 0 {
			near = 0
		}
		far[i] = min(far[i], near)
	}
	return far
}

// parents are the lines that each stands in; -1 for none.
func (v View) parents() []int {
	all := make([]int, len(v.Lines))
	var open []int
	for i, l := range v.Lines {
		for len(open) > 0 && v.Lines[open[len(open)-1]].Depth >= l.Depth {
			open = open[:len(open)-1]
		}
		if all[i] = -1; len(open) > 0 {
			all[i] = open[len(open)-1]
		}
		open = append(open, i)
	}
	return all
}

func (v View) kept(texts []string, keep []bool) (all []piece) {
	for i := 0; i < len(texts); i++ {
		if keep[i] {
			all = append(all, piece{at: i, text: texts[i]})
			continue
		}
		from, size := i, len(texts[i])
		for i+1 < len(texts) && !keep[i+1] {
			i++
			size += len(texts[i]) + 1
		}
		if size <= shortGap {
			for at := from; at <= i; at++ {
				all = append(all, piece{at: at, text: texts[at]})
			}
			continue
		}
		all = append(all, piece{at: from, gap: i + 1 - from, note: gapNote(v.Lines[from : i+1])})
	}
	return all
}

// gapNote says of which kind most of the lines are, and where they are.
func gapNote(lines []Line) string {
	top, count := lines[0].Depth, map[string]int{}
	all := browser.Outside
	for _, l := range lines {
		top = min(top, l.Depth)
		all &= l.States
	}
	most := ""
	for _, l := range lines {
		role := word(l.Role, "generic")
		if l.Depth > top {
			continue
		}
		if count[role]++; count[role] > count[most] {
			most = role
		}
	}
	note := fmt.Sprintf(" (%d %s)", count[most], most)
	switch all {
	case browser.Above:
		note += ", above the view"
	case browser.Below:
		note += ", below the view"
	}
	return note
}

// What stands before lines that cannot be seen without scrolling, or can again.
var places = map[browser.States]string{0: "(in view:)", browser.Above: "(above the view:)", browser.Below: "(below the view:)"}

func placeOf(l Line) browser.States {
	if l.States.Has(browser.Above) {
		return browser.Above
	}
	return l.States & browser.Below
}

// write writes the pieces and returns how many are lines.
func (v View) write(b *strings.Builder, pieces []piece) (lines int) {
	var at browser.States
	index := v.First
	for _, p := range pieces {
		if p.gap > 0 {
			what := "lines"
			if p.gap == 1 {
				what = "line"
			}
			fmt.Fprintf(b, "… %d %s left out%s; snapshot {\"offset\":%d}\n", p.gap, what, p.note, index)
			index += p.gap
			continue
		}
		if now := placeOf(v.Lines[p.at]); now != at {
			at = now
			b.WriteString(places[at] + "\n")
		}
		b.WriteString(p.text + "\n")
		lines++
		index++
	}
	return lines
}
