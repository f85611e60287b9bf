package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// besideNames are the fields whose values are no part of a thing: others like
// it, what people say of it, the way to it.
var besideNames = map[string]bool{
	"isRelatedTo": true, "isSimilarTo": true, "isAccessoryOrSparePartFor": true, "isConsumableFor": true, "relatedLink": true,
	"comment": true, "review": true, "breadcrumb": true, "potentialAction": true,
}

// ownerNames are the fields that say who stands behind a thing. They are beside
// it only where pages are about things of its kind: who publishes a website may
// well be what its first page is about.
var ownerNames = map[string]bool{
	"publisher": true, "author": true, "creator": true, "editor": true, "brand": true, "manufacturer": true,
	"seller": true, "provider": true, "sourceOrganization": true, "copyrightHolder": true,
}

// belongs learns from the field that a thing is in whether it is aside, and
// whether it is one of several.
func (t *thing) belongs(outer *thing, f *graph.Field) {
	t.aside, t.owner, t.listed = outer.aside, outer.owner, outer.listed
	if !t.aside && (besideNames[f.Name] || ownerNames[f.Name] && outer.primary) {
		t.aside, t.owner = true, outer
	}
	if (outer.entity.Source == graph.State || f.Name == "itemListElement") && severalThings(f.Values) {
		t.listed = true
	}
}

func severalThings(list []graph.Value) bool {
	n := 0
	for i := range list {
		if list[i].Kind == graph.Thing {
			n++
		}
	}
	return n > 1
}

// mayBeMain reports whether a page can be about a thing. About one that only
// belongs to another it is if the schema names its kind, and not the owner's.
func (t *thing) mayBeMain(wanted []string) bool {
	return !t.aside || t.isOf(wanted) && !t.owner.isOf(wanted)
}

// isOf reports whether a thing is of one of the kinds.
func (t *thing) isOf(wanted []string) bool {
	return slices.ContainsFunc(t.families, func(f string) bool { return slices.Contains(wanted, f) })
}

// isOfPage reports whether a thing has the name or the address of the page.
func (sh *shaper) isOfPage(e *graph.Entity) bool {
	name := nameText(e)
	return sh.isAddressOf(e) || name != "" && slices.Contains(sh.things.titles, name)
}
