package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// own replaces the candidates for when the page was published and who wrote it: what its
// main thing declares stays, and of all else the page has one answer, or none. Whatever
// date or name a page shows somewhere is seldom it.
func (sh *shaper) own(p *prop, s scope, all []candidate) []candidate {
	shown := graph.State // the last source of what is not only seen
	switch {
	case sh.o.Own == nil || s.depth > 0 || !slices.Contains(s.entities, sh.things.document):
		return all
	case p.is("datePublished") && mention.SaysPublished(p.name+" "+p.about):
	case p.is("author") && (p.kind == ofAnything || p.kind == ofRecipe):
		shown = graph.Label // the author of a book stands behind a label
	default:
		return all
	}
	all = slices.DeleteFunc(all, func(c candidate) bool { return p.is("datePublished") && c.entity.Is(sets()["page"]...) })
	if len(all) > 0 && all[0].rank == 0 && all[0].entity.Source <= graph.Microformats && tier(all[0]) == 0 {
		return all
	}
	values := sh.o.Own(p.concepts[0])
	if len(values) == 0 {
		return slices.DeleteFunc(all, func(c candidate) bool { // a card names the account of the site, and metadata knows it
			source := sourceOf(c.entity, &c.field.Values[0])
			return source == graph.Meta || source > shown
		})
	}
	f := &graph.Field{Name: p.concepts[0], Values: values}
	if !sh.isQualified(p, f) {
		return all
	}
	return []candidate{{entity: sh.things.document, field: f, own: true}}
}
