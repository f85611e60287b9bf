package shape

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// What a step to a thing inside costs.
const (
	costVia   = 6
	costSplit = 12
)

// searchBelow looks into the things that a field holds, if the property may be
// there: the price of a product in its offers, the name of an author in the
// author.
func (sh *shaper) searchBelow(p *prop, e *graph.Entity, f *graph.Field, depth int) []candidate {
	var all []candidate
	if len(p.vias) == 0 && len(p.splits) == 0 {
		return nil
	}
	name := sh.name(f.Name)
	for _, via := range p.vias {
		if via.key == name.Key {
			all = append(all, sh.searchThings(p, via.concept, f, depth)...)
		}
	}
	for _, s := range p.splits {
		if names.Match(s.outer, name) >= names.Kind {
			all = append(all, sh.searchSplit(p, s, e, f)...)
		}
	}
	return all
}

func (sh *shaper) searchThings(p *prop, concept string, f *graph.Field, depth int) []candidate {
	var all []candidate
	for i := range f.Values {
		e := f.Values[i].Entity
		if f.Values[i].Kind != graph.Thing || e == nil {
			continue
		}
		for _, c := range sh.searchIn(p, e, depth+1) {
			c.score -= costVia
			all = append(all, c)
		}
		for _, name := range names.Inside(concept) {
			vs := e.Get(name)
			if f := (&graph.Field{Name: name, Values: vs}); len(vs) > 0 && sh.isQualified(p, e, f) {
				all = append(all, candidate{entity: e, field: f, score: names.Near})
			}
		}
		if len(all) > 0 && concept != "availability" {
			break // the first offer is the one
		}
	}
	if concept == "availability" {
		slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(scarcity(a), scarcity(b)) })
	}
	return all
}

// scarcity orders what several offers say of one thing: it can be had if one of
// them has it.
func scarcity(c candidate) int {
	if has, ok := value.Bool(c.field.Values[0].Text); ok && has {
		return 0
	}
	return 1
}

// searchSplit looks for the inner part of a name in the things of a field, or
// takes the field's text where the inner part is what a text stands for.
func (sh *shaper) searchSplit(p *prop, s split, around *graph.Entity, f *graph.Field) []candidate {
	var all []candidate
	for i := range f.Values {
		e := f.Values[i].Entity
		if f.Values[i].Kind != graph.Thing {
			if s.inner.Is("name") {
				return []candidate{{entity: around, field: f, score: names.Kind - costSplit/2}}
			}
			continue
		}
		for j := range e.Fields {
			sh.m.Step(2)
			if score := names.Match(s.inner, sh.name(e.Fields[j].Name)); score >= names.Near && !sh.isOthersTitle(p, e, &e.Fields[j]) {
				all = append(all, candidate{entity: e, field: &e.Fields[j], score: score - costSplit})
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}
