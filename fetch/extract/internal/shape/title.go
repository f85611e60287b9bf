package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
)

// titled are, by kind of things, the concepts that only such a thing has. The
// title of a page, or the name of a thing, is one of such a thing only where the
// page has something else of the kind.
var titled = map[string][]string{
	"JobPosting": {"baseSalary", "employmentType", "hiringOrganization", "jobLocation", "qualifications", "responsibilities", "jobBenefits", "validThrough"},
	"Book":       {"isbn", "numberOfPages", "bookFormat"},
	"Movie":      {"director", "actor"},
	"Event":      {"startDate", "endDate", "doorTime", "performer", "organizer"},
}

// isOthersTitle reports whether a field is the general name or title of a thing
// or of the page, and a property asks for something else: what somebody works
// as, the title of a book on a page about none.
func (sh *shaper) isOthersTitle(p *prop, e *graph.Entity, f *graph.Field) bool {
	have := sh.name(f.Name)
	if !names.IsTitle(have.Key) {
		return false
	}
	shown := e.Source == graph.Document || e.Source == graph.Meta
	if p.key.Key == "label" {
		return shown // a tag, or who sells records
	}
	switch family := p.titleOf(); family {
	case "":
		return p.specific()
	case "Question":
		return !sh.isA(e, "Question", "FAQPage", "QAPage") && len(sh.typesOf(e)) > 0 && e.Source <= graph.State && !shown
	default:
		return !sh.isTitleOf(family, e, f, shown)
	}
}

// specific reports whether a property asks for something that no general title
// answers.
func (p *prop) specific() bool {
	if len(p.concepts) == 0 || names.IsTitle(p.key.Key) {
		return false
	}
	return !p.is("name", "headline", "title", "alternateName", "alternativeHeadline", "legalName", "text", "articleBody") && p.key.Plain != "name" && p.key.Plain != "title"
}

// titleOf is the kind of things whose title a property asks for, where that is
// not the one of any page, or "".
func (p *prop) titleOf() string {
	switch {
	case names.IsTitle(p.key.Key):
		return ""
	case p.told.Family != "":
		return p.told.Family
	case p.described && p.is(titleConcepts...) && strings.Contains(strings.ToLower(p.about), "job title"):
		return "JobPosting"
	case p.described && p.is("name", "headline"):
		return ""
	case slices.Contains(p.concepts, "question"):
		return "Question"
	case p.is("jobTitle", "title", "position"):
		return "JobPosting"
	}
	if len(p.key.Words) == 2 && titleWords[p.key.Words[1]] {
		for _, family := range names.Families(p.key.Words[0]) {
			if titled[family] != nil || family == "MusicAlbum" || family == "MusicRecording" || family == "Podcast" {
				return family
			}
		}
	}
	return ""
}

var (
	titleConcepts = []string{"name", "headline", "title", "jobTitle"}
	titleWords    = map[string]bool{"title": true, "titel": true, "titre": true, "titulo": true, "titolo": true, "name": true}
)

// isTitleOf reports whether a title is that of a thing of a kind: the thing is
// of it, or the page has something else of it. The title of somebody with a name
// is what he works as.
func (sh *shaper) isTitleOf(family string, e *graph.Entity, f *graph.Field, shown bool) bool {
	switch {
	case shown:
		return sh.hasKind(family, titled[family])
	case slices.Contains(familiesOf(sh.typesOf(e)), family):
		return true
	case family == "JobPosting" && sh.name(f.Name).Is("title", "name", "headline") && strings.HasPrefix(sh.name(f.Name).Key, "tit") && len(e.Get("name")) > 0:
		return len(e.Types) == 0 || sh.isA(e, "Person")
	case len(familiesOf(sh.typesOf(e))) > 0:
		return false
	}
	return e.Source != graph.State && sh.hasKind(family, titled[family]) || sh.hasOwn(family, e)
}

// hasOwn reports whether a thing without a type has what only one of a kind has.
func (sh *shaper) hasOwn(family string, e *graph.Entity) bool {
	return slices.ContainsFunc(e.Fields, func(f graph.Field) bool {
		sh.m.Step(1)
		return sh.name(f.Name).Is(titled[family]...)
	})
}

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
