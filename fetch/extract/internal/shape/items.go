package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// sample is how many of the items of a group are looked at to choose it.
const sample = 6

// listOfItems makes a list of objects of the repeated items of the page (its
// cards, its rows) that have the most of what is asked for: at least two of the
// properties, or the only one, and all of them named so.
func (sh *shaper) listOfItems(p *prop, v *view) *node {
	if v.items == nil {
		return nil
	}
	var best candidate
	most := 0
	groups := sh.groups()
	for _, iv := range sh.variants(sh.view(v.items)) {
		if !iv.may(typeObject) || len(iv.props) == 0 {
			continue
		}
		for _, g := range append(slices.Clip(groups), sh.stateGroups(p, iv)...) {
			if points := sh.groupPoints(iv, g.field, sh.lenient == p); points > most && !sh.isOtherList(p, iv, g) {
				best, most = g, points
			}
		}
	}
	if most == 0 {
		return nil
	}
	best = sh.headed(p, best, groups)
	l := sh.newList(p, v)
	l.whole = true
	return sh.listFrom(best, l)
}

// listOfShelf makes a list of objects of the items that a part of the page has,
// such as the dishes of a part of the menu, if they have what is asked for.
func (sh *shaper) listOfShelf(p *prop, v *view, s scope) *node {
	if v.items == nil || len(s.entities) == 0 || s.entities[0].Source < graph.Item {
		return nil
	}
	f := sh.shelfFor(v, s.entities[0], sh.lenient == p)
	if f == nil {
		return nil
	}
	l := sh.newList(p, v)
	l.whole = true
	return sh.listFrom(candidate{entity: s.entities[0], field: f}, l)
}

// shelfFor returns the items of a part of the page if they have what the items
// of a list are asked for, else nil.
func (sh *shaper) shelfFor(v *view, shelf *graph.Entity, lenient bool) *graph.Field {
	f := &graph.Field{Name: "items", Values: shelf.Get("items")}
	if len(f.Values) == 0 || v.items == nil {
		return nil
	}
	for _, iv := range sh.variants(sh.view(v.items)) {
		if iv.may(typeObject) && len(iv.props) > 0 && sh.groupPoints(iv, f, lenient) > 0 {
			return f
		}
	}
	return nil
}

// groups are the fields that hold several things of the visible page.
func (sh *shaper) groups() []candidate {
	var all []candidate
	for _, e := range sh.things.page {
		for i := range e.Fields {
			sh.m.Step(1)
			f := &e.Fields[i]
			if f.Name != "sections" && countItems(f) > 1 && !f.Values[0].Aside {
				all = append(all, candidate{entity: e, field: f})
			}
		}
	}
	return all
}

func countItems(f *graph.Field) int {
	n := 0
	for i := range f.Values {
		if v := &f.Values[i]; v.Kind == graph.Thing && v.Entity != nil && v.Entity.Source >= graph.Table {
			n++
		}
	}
	return n
}

// groupPoints says how well the items of a group fit: how much the first of
// them have of what is asked for, and then how many there are. Where all may
// miss something, they have half of what is required.
func (sh *shaper) groupPoints(v *view, f *graph.Field, lenient bool) int {
	looked, found, enough := 0, 0, 0
	for i := range f.Values {
		e := f.Values[i].Entity
		if f.Values[i].Kind != graph.Thing || e == nil {
			continue
		}
		if looked++; looked > sample {
			break
		}
		n, missing := sh.has(v, e)
		found += n
		if (missing == 0 || lenient && missing*2 <= len(v.need)) && n >= min(2, len(v.props)) {
			enough++
		}
	}
	if looked == 0 || enough*2 < min(looked, sample) {
		return 0
	}
	return found*1000/min(looked, sample) + min(len(f.Values), 100)
}

// has counts the properties that an entity has, and those that it misses
// although they are required.
func (sh *shaper) has(v *view, e *graph.Entity) (n, missing int) {
	for _, p := range v.props {
		switch {
		case len(sh.searchIn(p, e, 0)) > 0, e.Source == graph.Item && sh.shelfFor(sh.view(p.sub), e, false) != nil:
			n++
		case p.required:
			missing++
		}
	}
	return n, missing
}
