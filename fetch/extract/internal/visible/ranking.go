package visible

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// maxRanked is the length of an item of a ranking, in bytes: longer ones are
// steps or sentences. leastRanked is how many it has at least.
const (
	maxRanked   = 100
	leastRanked = 3
)

// rankings reads numbered lists: their items get their number, and those of
// lists of short names become items.
func (r *reader) rankings() {
	for i, n := range r.all() {
		if n.named(atom.Ol) && !n.is(isAside|inTable) {
			r.ranking(i)
		}
	}
}

func (r *reader) ranking(list int) {
	var items []int
	short := true
	for c, n := range r.below(list) {
		if n.named(atom.Li) && n.from < n.to {
			items = append(items, c)
			short = short && r.isRanked(c)
		}
	}
	if len(items) < leastRanked {
		return
	}
	first, err := strconv.Atoi(attr(r.nodes[list].el, "start"))
	if err != nil {
		first = 1
	}
	name := r.nameBelow(r.headingBefore(list))
	for k, i := range items {
		part := r.nodes[i].part
		if !r.nodes[i].is(isMember) {
			if !short || r.entities >= r.o.MaxEntities {
				continue
			}
			part, _ = r.newThing(i, part, name)
			r.rankedName(part, i)
		}
		r.add(part, "position", r.textValue(strconv.Itoa(first+k), 0, r.nodes[i].el))
	}
}

func (r *reader) isRanked(i int) bool {
	n := &r.nodes[i]
	text := r.text[n.from:n.to]
	return n.lineEnd-n.line == 1 && len(text) <= maxRanked && !strings.HasSuffix(text, ".") && startsUpper(strings.TrimLeft(text, `"“«'0123456789`))
}

// rankedName adds the name of an item without the year behind it, and the year.
func (r *reader) rankedName(part, i int) {
	text := r.textOf(i)
	if open := strings.LastIndex(text, " ("); open > 0 && strings.HasSuffix(text, ")") && isYear(text[open+2:len(text)-1]) {
		r.add(part, "year", r.textValue(text[open+2:len(text)-1], 0, r.nodes[i].el))
		text = text[:open]
	}
	r.add(part, "title", r.textValue(text, 0, r.nodes[i].el))
	r.addLink(part, r.firstLink(i))
}
