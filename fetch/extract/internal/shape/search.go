package shape

import (
	"cmp"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
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
		if sh.isHeadings(p, e, f) || sh.isOtherCount(p, e, f) || sh.isOthersTitle(p, e, f) {
			continue
		}
		if f.Name == "position" && e.Is("ListItem") && !p.is("position") {
			continue // of a list, not of somebody who works
		}
		if e.Source == graph.Table && p.is("name", "headline", "title") && len(names.Families(f.Name)) > 0 {
			all = append(all, candidate{entity: e, field: f, score: names.Near}) // the column "Product"
		}
		if score := sh.score(p, f.Name); score >= names.Threshold && sh.isQualified(p, e, f) {
			all = append(all, candidate{entity: e, field: f, score: sh.afterStandard(p, e, f, score) - penalty(e, f)})
		}
		if sh.isLowestHead(p, e, f) {
			all = append(all, candidate{entity: e, field: f, score: names.Near})
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

// isLowestHead reports whether a column of a table has the name of a property
// behind that of a head above it, and no other column has.
func (sh *shaper) isLowestHead(p *prop, e *graph.Entity, f *graph.Field) bool {
	if e.Source != graph.Table || len(p.concepts) > 0 || len(p.key.Words) != 1 || !endsWith(f.Name, p.key.Key) {
		return false
	}
	sh.m.Step(len(e.Fields))
	return !slices.ContainsFunc(e.Fields, func(g graph.Field) bool { return g.Name != f.Name && endsWith(g.Name, p.key.Key) })
}

// endsWith reports whether a name of several words has a key for its last.
func endsWith(name, key string) bool {
	if len(name) <= len(key) || !strings.EqualFold(name[len(name)-len(key):], key) {
		return false
	}
	return name[len(name)-len(key)-1] == ' '
}
