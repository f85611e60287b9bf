package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// isOther reports whether a field is certainly of something else than what a
// property asks for, whatever its name.
func (sh *shaper) isOther(p *prop, e *graph.Entity, f *graph.Field) bool {
	if f.Name == "position" && e.Is("ListItem") && !p.is("position") {
		return true // of a list, not of somebody who works
	}
	if e == sh.things.itself && p.isHeadline() && f.Name == "name" && p.kind == ofAnything {
		return true // a text has a title
	}
	return sh.isHeadings(p, e, f) || sh.isOtherCount(p, e, f) || sh.isOthersTitle(p, e, f)
}

// fit returns how well a field of a thing fits a property, 0 for not: by its
// name less what speaks against it, or for what it is in a thing of its kind.
func (sh *shaper) fit(p *prop, e *graph.Entity, f *graph.Field) int {
	score := sh.score(p, f.Name)
	if score < names.Threshold || !sh.isQualified(p, f) {
		score = 0
	}
	standIn := false
	switch f.Name {
	case "item":
		standIn = p.is("url") && e.Is("ListItem")
	case "sections":
		standIn = p.asksHeadings()
	case "itemListElement":
		standIn = p.is("step", "recipeInstructions") && sh.isA(e, "HowToSection", "HowTo")
	default:
		standIn = e.Source == graph.Table && p.is("name", "headline", "title") && len(names.Families(f.Name)) > 0 // the column "Product"
	}
	if standIn {
		return max(score, names.Near)
	}
	if score > names.Synonym && len(p.concepts) > 0 && e.Source <= graph.RDFa && !names.IsConcept(f.Name) && e.Get(p.concepts[0]) != nil {
		score = names.Synonym - 1 // the thing has the standard name, too
	}
	switch {
	case score == 0:
	case f.Values[0].Aside:
		score -= 15 // it stands beside the main part of the page
	case e.Source == graph.Document && f.Name == "title" && f.Values[0].Source <= graph.Document && f.Values[0].Source != graph.Class:
		score -= 20 // it has more in it than the name of what the page is about
	}
	return score
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
		score = 0
		for i, c := range p.concepts { // the likeliest first
			if s := names.Match(sh.conceptName(c), have); s >= names.Near {
				score = max(score, names.Described+(s-names.Near)/4-3*i)
			}
		}
	}
	if p.label.Key != "" && names.Match(p.label, have) >= names.Kind {
		score = max(score, names.Described)
	}
	p.scores[name] = score
	return score
}

// conceptName is the name of a concept, and not of what else the word may mean.
func (sh *shaper) conceptName(concept string) names.Name {
	n := sh.name(concept)
	n.Concepts = []string{concept}
	return n
}

// isQualified reports whether a field, or its value, says what a description
// limits its concept by: a price is no monthly price unless the page says so.
func (sh *shaper) isQualified(p *prop, f *graph.Field) bool {
	if len(p.told.Qualifiers) == 0 || names.Match(p.key, sh.name(f.Name)) >= names.Plural {
		return true
	}
	words := names.Words(f.Name)
	if v := &f.Values[0]; v.Kind != graph.Thing {
		words = slices.Concat(words, names.Words(cutText(v.Text)), names.Words(cutText(v.Shown)))
	}
	if p.of("pay") && !names.SaysPeriod(words) {
		return true // who says nothing of it means what is usual
	}
	sh.m.Step(1 + len(words))
	return !slices.ContainsFunc(p.told.Qualifiers, func(group []string) bool {
		return !slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(group, func(q string) bool { return w == q || w == q+"s" || len(q) > 4 && strings.HasPrefix(w, q) })
		})
	})
}

// maxSaid is how long a value is that may say more than an amount, in bytes.
const maxSaid = 80

// cutText is a text that is short enough to say of itself what it is, else "".
func cutText(text string) string {
	if len(text) > maxSaid {
		return ""
	}
	return text
}
