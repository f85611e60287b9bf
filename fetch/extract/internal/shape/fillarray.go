package shape

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
)

// fillArray fills a list: from the values of a field, from the entities whose
// kind has the name of the property, and last from the repeated items of the
// page.
func (sh *shaper) fillArray(p *prop, v *view, s scope) *node {
	if s.outer != nil {
		return nil
	}
	var best *node
	for _, c := range sh.search(p, s) {
		n := sh.listOf(c, p, v)
		if n == nil {
			continue
		}
		if sh.passes(p.sub, n) {
			return n
		}
		if best == nil {
			best = n
		}
	}
	if best == nil && s.depth == 0 {
		best = sh.listOfKind(p, v)
	}
	if best == nil && s.depth == 0 {
		best = sh.listOfItems(p, v)
	}
	return best
}

// listOfKind makes a list of the entities whose kind has the name of the
// property, or of its items: {"jobs": […]}.
func (sh *shaper) listOfKind(p *prop, v *view) *node {
	families := names.Families(p.name)
	if len(p.concepts) > 0 {
		families = append(families, names.Families(p.concepts[0])...)
	}
	if v.items != nil {
		families = append(families, names.Families(v.items.Title)...)
	}
	l := sh.newList(p, v)
	l.whole = true
	for _, family := range families {
		for _, e := range sh.things.byFamily[family] {
			if e.Is("BreadcrumbList") || listable[family] {
				l.value(found{e, "", graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Place: e.Place}})
			}
		}
		if n := l.result(); n != nil {
			return n
		}
	}
	return nil
}

// listable are the kinds of things that are taken for their kind alone.
var listable = map[string]bool{
	"Product": true, "Recipe": true, "JobPosting": true, "Event": true, "Article": true, "Question": true, "Review": true, "Course": true, "Book": true,
	"Movie": true, "VideoObject": true, "RealEstateListing": true, "Person": true, "Organization": true, "Comment": true, "Offer": true, "SoftwareApplication": true,
	"HowToStep": true, "DiscussionForumPosting": true, "Podcast": true, "MusicRecording": true,
}
