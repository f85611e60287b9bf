package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// published replaces the candidates for when the page was published: what its main
// thing declares stays, and of all else the page has one answer, or none. Whatever
// date a page shows somewhere is seldom it.
func (sh *shaper) published(p *prop, s scope, all []candidate) []candidate {
	if sh.o.Published == nil || s.depth > 0 || !p.is("datePublished") || !mention.SaysPublished(p.name+" "+p.about) || !slices.Contains(s.entities, sh.things.document) {
		return all
	}
	isDeclared := func(c candidate) bool { return c.rank == 0 && c.entity.Source <= graph.Microformats && tier(c) == 0 }
	if len(all) > 0 && isDeclared(all[0]) {
		return all
	}
	v := sh.o.Published()
	if v.Text == "" {
		return slices.DeleteFunc(all, func(c candidate) bool { return c.entity.Source > graph.State })
	}
	return []candidate{{entity: sh.things.document, field: &graph.Field{Name: "datePublished", Values: []graph.Value{v}}}}
}
