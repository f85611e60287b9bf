package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
)

// titled are kinds of things whose titles are asked for by a name of two words
// on pages about other things too: a person has a job title, a review a book
// title. The title of the page is one only where the page has something else of
// the kind.
var titled = map[string][]string{
	"JobPosting": {"baseSalary", "employmentType", "hiringOrganization", "jobLocation", "qualifications", "responsibilities", "jobBenefits", "validThrough"},
	"Book":       {"isbn", "numberOfPages", "bookFormat"},
	"Movie":      {"director", "actor"},
}

// isOthersTitle reports whether a field is the title of the page, and a property
// asks for the title of something that the page does not seem to be about.
func (sh *shaper) isOthersTitle(p *prop, e *graph.Entity, f *graph.Field) bool {
	if e.Source != graph.Document && e.Source != graph.Meta || !pageTitles[sh.name(f.Name).Key] {
		return false
	}
	if p.key.Key == "label" {
		return true // a tag, or who sells records
	}
	if p.described && strings.Contains(strings.ToLower(p.about), "job title") {
		return !sh.hasKind("JobPosting", titled["JobPosting"])
	}
	if len(p.key.Words) != 2 || !p.is("jobTitle") && !titleWords[p.key.Words[1]] {
		return false
	}
	for _, family := range names.Families(p.key.Words[0]) {
		if concepts := titled[family]; concepts != nil {
			return !sh.hasKind(family, concepts)
		}
	}
	return false
}

var (
	pageTitles = map[string]bool{"h1": true, "title": true}
	titleWords = map[string]bool{"title": true, "titel": true, "titre": true, "titulo": true, "titolo": true, "name": true}
)

// hasKind reports whether a page has a thing of a family, or says with a label
// what only such a thing has.
func (sh *shaper) hasKind(family string, concepts []string) bool {
	if len(sh.things.byFamily[family]) > 0 {
		return true
	}
	return slices.ContainsFunc(sh.things.page, func(e *graph.Entity) bool {
		return slices.ContainsFunc(e.Fields, func(f graph.Field) bool {
			sh.m.Step(1)
			return !f.Values[0].Aside && sh.name(f.Name).Is(concepts...)
		})
	})
}

// isHeadings reports whether a field is the list of all headings of a page, and
// a property does not ask for that: it has another name, or room for one text.
func (sh *shaper) isHeadings(p *prop, e *graph.Entity, f *graph.Field) bool {
	if e.Source != graph.Document || f.Name != "sections" {
		return false
	}
	v := sh.view(p.sub)
	return !strings.Contains(p.key.Key, "section") || v.typed && v.types&(typeArray|typeObject) == 0
}
