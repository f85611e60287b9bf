package shape

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
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
	if f.Name == "additionalProperty" && !p.is("additionalProperty") {
		return sh.searchPairs(p, f)
	}
	if len(p.vias) == 0 && len(p.splits) == 0 {
		return nil
	}
	var all []candidate
	name := sh.name(f.Name)
	for _, via := range p.vias {
		if via.key == name.Key {
			all = append(all, sh.searchThings(p, via.concept, f, depth)...)
		}
	}
	for _, s := range p.splits {
		if p.titleOf() != "" || s.outer.Key == "ticket" && !sh.hasFamily("Event") {
			continue // the name of a course is no course of a meal
		}
		if names.Match(s.outer, name) >= names.Kind {
			all = append(all, sh.searchSplit(p, s, e, f)...)
		}
	}
	return all
}

// searchPairs looks for the value of the PropertyValue that has the name of a
// property.
func (sh *shaper) searchPairs(p *prop, f *graph.Field) (all []candidate) {
	for i := range f.Values {
		e := f.Values[i].Entity
		if f.Values[i].Kind != graph.Thing || e == nil || len(e.Get("name")) == 0 || len(e.Get("value")) == 0 {
			continue
		}
		if score := sh.score(p, e.Get("name")[0].Text); score >= names.Near {
			all = append(all, candidate{entity: e, field: &graph.Field{Name: "value", Values: e.Get("value")}, score: score - costVia})
		}
	}
	return all
}

func (sh *shaper) searchThings(p *prop, concept string, f *graph.Field, depth int) []candidate {
	var all []candidate
	for _, e := range sh.inStockFirst(f) {
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

// inStockFirst returns the things of a field: of variants first those that can be
// had, so that the price is that of what is sold.
func (sh *shaper) inStockFirst(f *graph.Field) []*graph.Entity {
	var all []*graph.Entity
	for i := range f.Values {
		if e := f.Values[i].Entity; f.Values[i].Kind == graph.Thing && e != nil {
			all = append(all, e)
		}
	}
	if f.Name == "hasVariant" && len(all) > 1 && len(all) <= maxKin {
		slices.SortStableFunc(all, func(a, b *graph.Entity) int { return cmp.Compare(sh.gone(a), sh.gone(b)) })
	}
	return all
}

// gone is 1 for a thing whose offer says that it cannot be had, else 0.
func (sh *shaper) gone(e *graph.Entity) int {
	sh.m.Step(4)
	for _, v := range append(slices.Clone(e.Get("availability")), inOffers(e)...) {
		if has, ok := mention.Bool(v.Text); ok && !has {
			return 1
		}
	}
	return 0
}

func inOffers(e *graph.Entity) []graph.Value {
	if vs := e.Get("offers"); len(vs) > 0 && vs[0].Kind == graph.Thing && vs[0].Entity != nil {
		return vs[0].Entity.Get("availability")
	}
	return nil
}

// scarcity orders what several offers say of one thing: it can be had if one of
// them has it.
func scarcity(c candidate) int {
	if has, ok := mention.Bool(c.field.Values[0].Text); ok && has {
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
		if e == nil {
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
