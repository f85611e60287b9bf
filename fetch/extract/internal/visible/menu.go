package visible

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// A dish is an item of a price list, and the heading that it stands under or -1.
type dish struct{ part, heading int }

// menu gives the page the items of all its price lists, each with its heading,
// where they stand under several of one level.
func (r *reader) menu(dishes []dish) {
	dishes = slices.DeleteFunc(dishes, func(d dish) bool { return d.heading < 0 || r.parts[d.part].around != 0 })
	headings := map[int]bool{}
	for _, d := range dishes {
		headings[d.heading] = true
		if r.headingLevel(d.heading) != r.headingLevel(dishes[0].heading) {
			return
		}
	}
	if len(headings) < 2 {
		return
	}
	for _, d := range dishes {
		p := &r.parts[d.part]
		r.add(0, "items", r.thing(p.entity, p.node))
		if !r.has(d.part, "category") {
			r.add(d.part, "category", r.value(d.heading, graph.Section))
		}
	}
}
