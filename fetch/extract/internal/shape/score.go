package shape

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

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
	if p.label.Key != "" && names.Match(p.label, have) >= names.Kind {
		score = max(score, names.Described)
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
