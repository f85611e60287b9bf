package shape

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// candidate is a field that may be what a property asks for.
type candidate struct {
	entity *graph.Entity
	field  *graph.Field
	score  int
	rank   int // of the entity in the scope
}

// maxVia is how many things deep a property is searched for.
const maxVia = 3

// search returns the fields that may be what is wanted, the best first. A good
// name in the thing itself is better than the best one elsewhere; what is only
// near to it, or only described, is used where nothing else is.
func (sh *shaper) search(p *prop, s scope) []candidate {
	var all []candidate
	for rank, e := range s.entities {
		for _, c := range sh.searchIn(p, e, 0) {
			c.rank = rank
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(tier(a), tier(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(b.score, a.score))
	})
	all = exactFirst(p, all)
	switch {
	case p.is("sku"):
		all = sh.byNumber(all)
	case p.is("availability"):
		all = sh.byScarcity(p, all, s.variants)
	}
	return all
}

func tier(c candidate) int {
	if c.score >= names.Near {
		return 0
	}
	return 1
}

// searchIn returns the candidates in one entity, the best first.
func (sh *shaper) searchIn(p *prop, e *graph.Entity, depth int) []candidate {
	var all []candidate
	for f := range sh.fieldsFor(p, e) {
		sh.m.Step(1)
		if sh.isHeadings(p, e, f) || sh.isOthersTitle(p, e, f) {
			continue
		}
		if f.Name == "position" && e.Is("ListItem") && !p.is("position") {
			continue // of a list, not of somebody who works
		}
		if e.Source == graph.Table && p.is("name", "headline", "title") && len(names.Families(f.Name)) > 0 {
			all = append(all, candidate{entity: e, field: f, score: names.Near}) // the column "Product"
		}
		if score := sh.score(p, f.Name); score >= names.Threshold {
			all = append(all, candidate{entity: e, field: f, score: sh.afterStandard(p, e, f, score) - penalty(e, f)})
		}
		if f.Name == "item" && p.is("url") && e.Is("ListItem") {
			all = append(all, candidate{entity: e, field: f, score: names.Near})
		}
		if f.Name == "itemListElement" && p.is("step", "recipeInstructions") && sh.isA(e, "HowToSection", "HowTo") {
			all = append(all, candidate{entity: e, field: f, score: names.Near})
		}
		if depth < maxVia {
			all = append(all, sh.searchBelow(p, e, f, depth)...)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return all
}

// penalty counts against what stands beside the main part of the page, and
// against its title, which has more in it than the name of what it is about.
func penalty(e *graph.Entity, f *graph.Field) int {
	switch {
	case f.Values[0].Aside:
		return 15
	case e.Source == graph.Document && f.Name == "title" && f.Values[0].Source <= graph.Document && f.Values[0].Source != graph.Class:
		return 20
	}
	return 0
}

// afterStandard puts a name that pages are wont to use, or that was standard
// before, behind the standard one of the same thing.
func (sh *shaper) afterStandard(p *prop, e *graph.Entity, f *graph.Field, score int) int {
	if score <= names.Synonym || e.Source > graph.RDFa || len(p.concepts) == 0 || names.IsConcept(f.Name) || e.Get(p.concepts[0]) == nil {
		return score
	}
	return names.Synonym - 1
}

// score returns how well the name of a field fits a property.
func (sh *shaper) score(p *prop, name string) int {
	if s, ok := p.scores[name]; ok {
		return s
	}
	sh.m.Step(4)
	have := sh.name(name)
	score := names.Match(p.key, have)
	if p.described && score < names.Plural {
		score = sh.describedScore(p.concepts, have)
	}
	p.scores[name] = score
	return score
}

// describedScore compares what a description names, the likeliest first.
func (sh *shaper) describedScore(concepts []string, have names.Name) int {
	best := 0
	for i, c := range concepts {
		concept := sh.name(c)
		concept.Concepts = []string{c} // and not what else the word may mean
		if s := names.Match(concept, have); s >= names.Near {
			best = max(best, names.Described+(s-names.Near)/4-3*i)
		}
	}
	return best
}

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
			all = append(all, sh.searchSplit(s, e, f)...)
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
			if vs := e.Get(name); len(vs) > 0 {
				all = append(all, candidate{entity: e, field: &graph.Field{Name: name, Values: vs}, score: names.Near})
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
func (sh *shaper) searchSplit(s split, around *graph.Entity, f *graph.Field) []candidate {
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
			if score := names.Match(s.inner, sh.name(e.Fields[j].Name)); score >= names.Near {
				all = append(all, candidate{entity: e, field: &e.Fields[j], score: score - costSplit})
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}
