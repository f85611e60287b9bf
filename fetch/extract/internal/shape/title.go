package shape

import (
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/names"
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
	if have.Is("itemListElement") && slices.Contains(p.concepts, "question") && f.Values[0].Kind != graph.Thing {
		return !sh.asks(e, f.Values[0].Text) // the label "List"
	}
	if !have.IsTitle() {
		return have.Key == "jobs" && p.titleOf() != "" || have.Key == "position" && p.is("jobTitle", "name", "headline", "title") && isNoPost(e, f) || have.Is("legalName") && p.titleOf() != ""
	}
	shown := e.Source == graph.Document || e.Source == graph.Meta
	if p.key.Key == "label" {
		return shown // a tag, or who sells records
	}
	family := p.titleOf()
	if have.Plain != "" && family != "" && slices.Contains(names.Families(have.Words[0]), family) {
		return false // "job title"
	}
	switch family {
	case "":
		return p.specific()
	case "Question":
		return !sh.asks(e, f.Values[0].Text)
	default:
		return !sh.isTitleOf(family, e, f, shown)
	}
}

// specific reports whether a property asks for something that no general title
// answers.
func (p *prop) specific() bool {
	if len(p.concepts) == 0 || p.isGeneral() {
		return false
	}
	return !p.is("name", "headline", "title", "alternateName", "alternativeHeadline", "legalName", "text", "articleBody") && p.key.Plain != "name" && p.key.Plain != "title"
}

// isGeneral reports whether a property asks for a title by a name for any.
func (p *prop) isGeneral() bool {
	return p.key.IsTitle() && (p.key.Plain == "" || len(p.key.Words) != 2)
}

// hasAnswer reports whether a thing has an answer beside its title.
func (sh *shaper) hasAnswer(e *graph.Entity) bool {
	return slices.ContainsFunc(e.Fields, func(f graph.Field) bool {
		return slices.Contains(sh.name(f.Name).Concepts, "acceptedAnswer")
	})
}

// asks reports whether a text of a thing is a question.
func (sh *shaper) asks(e *graph.Entity, text string) bool {
	return sh.isA(e, "Question") || sh.hasAnswer(e) || strings.HasSuffix(strings.TrimSpace(text), "?")
}

// titleOf is the kind of things whose title a property asks for, where that is
// not the one of any page, or "".
func (p *prop) titleOf() string {
	switch {
	case p.isGeneral():
		return ""
	case p.told.Family != "" && p.is(titleConcepts...):
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
	case e.Source == graph.Meta:
		return sh.hasFamily(family)
	case shown:
		return sh.hasKind(family, titled[family])
	case slices.Contains(familiesOf(sh.typesOf(e)), family):
		return true
	case family == "JobPosting" && sh.name(f.Name).Is("title", "name", "headline") && strings.HasPrefix(sh.name(f.Name).Key, "tit") && len(e.Get("name")) > 0:
		return len(e.Types) == 0 && people.IsFull(e.Get("name")[0].Text) && !sh.isSold(e) || sh.isA(e, "Person")
	case len(familiesOf(sh.typesOf(e))) > 0:
		return false
	}
	return e.Source != graph.State && sh.hasKind(family, titled[family]) || sh.hasOwn(family, e)
}

// isSold reports whether a thing has a price or a number of goods.
func (sh *shaper) isSold(e *graph.Entity) bool {
	return slices.ContainsFunc(e.Fields, func(f graph.Field) bool {
		sh.m.Step(1)
		return sh.name(f.Name).Is(saleConcepts...)
	})
}

// isNoPost reports whether a position is one in a list or of a box, and not that
// of somebody who works.
func isNoPost(e *graph.Entity, f *graph.Field) bool {
	text := strings.ToLower(f.Values[0].Text)
	return sides[text] || e.Source == graph.Document && f.Values[0].Source == graph.Class || !strings.ContainsFunc(text, unicode.IsLetter) && f.Values[0].Kind != graph.Thing || e.Source == graph.State && len(e.Get("name")) == 0
}

var sides = wordSet("left right top bottom center centre middle start end static absolute relative fixed sticky inherit before after")

// hasOwn reports whether a thing without a type has what only one of a kind has.
func (sh *shaper) hasOwn(family string, e *graph.Entity) bool {
	return slices.ContainsFunc(e.Fields, func(f graph.Field) bool {
		sh.m.Step(1)
		return sh.name(f.Name).Is(titled[family]...)
	})
}

// hasKind reports whether a page has a thing of a family, or says with labels
// what only such a thing has: one that says it certainly, or two.
func (sh *shaper) hasKind(family string, concepts []string) bool {
	if len(sh.things.byFamily[family]) > 0 {
		return true
	}
	said := map[string]bool{}
	for _, e := range sh.things.page {
		if e.Source == graph.Meta {
			continue
		}
		for i := range e.Fields {
			sh.m.Step(1)
			f := &e.Fields[i]
			if n := sh.name(f.Name); !f.Values[0].Aside && n.Is(concepts...) && (certain[n.Concepts[0]] || f.Values[0].Source != graph.Class) {
				if said[n.Concepts[0]] = true; certain[n.Concepts[0]] || len(said) > 1 {
					return true
				}
			}
		}
	}
	return false
}

// certain are concepts that nothing else than one kind of things has.
var certain = map[string]bool{"baseSalary": true, "employmentType": true, "validThrough": true, "isbn": true, "bookFormat": true, "director": true, "doorTime": true}

// isHeadings reports whether a field is the list of all headings of a page, and
// a property does not ask for that: it has another name, or room for one text.
func (sh *shaper) isHeadings(p *prop, e *graph.Entity, f *graph.Field) bool {
	if e.Source != graph.Document || f.Name != "sections" {
		return false
	}
	v := sh.view(p.sub)
	return !strings.Contains(p.key.Key, "section") || v.typed && v.types&(typeArray|typeObject) == 0
}
