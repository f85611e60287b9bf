package shape

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/names"
)

// titleOf is the kind of things whose title a property asks for, where that is
// not the one of any page, or "".
func (p *prop) titleOf() string {
	switch {
	case p.key.IsTitle() && (p.key.Plain == "" || len(p.key.Words) != 2):
		return "" // a name for any title
	case p.told.Family != "" && p.of("title"):
		return p.told.Family
	case slices.Contains(p.concepts, "question"):
		return "Question"
	case p.is("jobTitle", "title", "position"):
		return "JobPosting"
	}
	if len(p.key.Words) == 2 && isIn("titleWord", p.key.Words[1]) {
		for _, family := range names.Families(p.key.Words[0]) {
			if _, ok := sets()["titleOf"+family]; ok {
				return family
			}
		}
	}
	return ""
}

// isOthersTitle reports whether a field is the general name or title of a thing
// or of the page, and a property asks for something else: what somebody works
// as, the title of a book on a page about none.
func (sh *shaper) isOthersTitle(p *prop, e *graph.Entity, f *graph.Field) bool {
	have, val := sh.name(f.Name), &f.Values[0]
	if have.Is("itemListElement") && slices.Contains(p.concepts, "question") && val.Kind != graph.Thing {
		return !sh.asks(e, val.Text) // the label "List"
	}
	if have.Key == "position" && p.is("jobTitle", "name", "headline", "title") {
		return e.Source == graph.State || val.Source == graph.Class || val.Kind != graph.Thing && !strings.ContainsFunc(val.Text, unicode.IsLetter)
	}
	if !have.IsTitle() {
		return (have.Key == "jobs" || have.Is("legalName", "alternateName")) && p.titleOf() != ""
	}
	if p.key.Key == "label" {
		return e.Source == graph.Document || e.Source == graph.Meta // a tag, or who sells records
	}
	switch family := p.titleOf(); {
	case family == "", have.Plain != "" && slices.Contains(names.Families(have.Words[0]), family):
		return false // "job title"
	case family == "Question":
		return !sh.asks(e, val.Text)
	default:
		return !sh.isTitleOf(family, e, have)
	}
}

// asks reports whether a text of a thing is a question.
func (sh *shaper) asks(e *graph.Entity, text string) bool {
	return sh.isA(e, "Question") || strings.HasSuffix(strings.TrimSpace(text), "?")
}

// isTitleOf reports whether a title is that of a thing of a kind: the thing is
// of it, or the page has something else of it. The title of somebody with a name
// is what he works as.
func (sh *shaper) isTitleOf(family string, e *graph.Entity, have names.Name) bool {
	own, called := familiesOf(sh.things.of(e).types), said(e, "name").value.Text
	switch {
	case slices.Contains(own, family):
		return true
	case family == "JobPosting" && !isPage(e) && strings.HasPrefix(have.Key, "tit") && called != "":
		return len(e.Types) == 0 && people.IsFull(called) || sh.isA(e, "Person")
	case len(own) > 0:
		return false
	case e.Source == graph.State:
		return sh.hasFactOf(family, e)
	}
	return sh.hasFamily(family) || e.Source != graph.Meta && (sh.hasFactOf(family, e) || sh.hasFactOf(family, sh.things.page...))
}

// hasFactOf reports whether things say what only one of a kind has.
func (sh *shaper) hasFactOf(family string, in ...*graph.Entity) bool {
	only := sets()["titleOf"+family]
	return slices.ContainsFunc(in, func(e *graph.Entity) bool {
		sh.m.Step(len(e.Fields))
		return e.Source != graph.Meta && slices.ContainsFunc(e.Fields, func(f graph.Field) bool { return !f.Values[0].Aside && sh.name(f.Name).Is(only...) })
	})
}

// asksHeadings reports whether a property asks for all headings of a page.
func (p *prop) asksHeadings() bool { return strings.HasSuffix(strings.ToLower(p.name), "headings") }

// isHeadings reports whether a field is the list of all headings of a page, or of all its
// links, and a property does not ask for that: it has another name, or room for one text.
func (sh *shaper) isHeadings(p *prop, e *graph.Entity, f *graph.Field) bool {
	v := sh.view(p.sub)
	if e.Source == graph.Document && f.Name == "links" && p.is("url") {
		return v.typed && v.types&typeArray == 0 // the first link of a page is not its address
	}
	if e.Source != graph.Document || f.Name != "sections" {
		return false
	}
	return !strings.Contains(p.key.Key, "section") && !p.asksHeadings() || v.typed && v.types&(typeArray|typeObject) == 0
}

// firmNamed returns the name of the site for that of a page which is called by what such a page is
// for ("Contact us").
func (sh *shaper) firmNamed(p *prop, v *view, s scope, n *node) *node {
	isContact := func(text string) bool { return isIn("contactPage", names.Parse(text).Key) }
	if !p.is("name") || strings.HasPrefix(p.key.Key, "tit") || s.depth != 0 || n.kind != scalar || n.from.entity == nil || !isPage(n.from.entity) || !isContact(textOf(n.value)) || sh.asksOther() {
		return n
	}
	for _, e := range sh.things.page {
		for _, site := range []found{said(e, "og:site_name"), said(e, "title")} {
			for _, part := range titleParts().Split(cmp.Or(site.value.Shown, site.value.Text), maxTitleParts) {
				if part = strings.TrimSpace(part); part != "" && !isContact(part) {
					return cmp.Or(sh.scalar(p, v, site.saying(part), 0), n)
				}
			}
		}
	}
	return n
}

// asksOther reports whether a schema names a kind of things that is no firm's, or the page sells
// something: a novel may be called "Contact".
func (sh *shaper) asksOther() bool {
	wanted := names.Families(sh.title)
	return len(wanted) > 0 && !slices.ContainsFunc(wanted, func(f string) bool { return isIn("firm", f) && f != "Article" }) ||
		slices.ContainsFunc(sh.things.page, func(e *graph.Entity) bool { return len(e.Get("price")) > 0 || len(e.Get("availability")) > 0 })
}

// titleParts is what stands between the parts of a title, and maxTitleParts how many it has at most.
var titleParts = lexicon.Pattern(`\s+[-–—|·:»]\s+|\s*\|\s*`)

const maxTitleParts = 8
