package shape

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// united returns a candidate with the values of all names that its thing has for
// what is wanted: old recipes have "ingredients", new ones "recipeIngredient",
// and some pages a part under each. Each value is in it once, in the order of
// the page.
func (sh *shaper) united(p *prop, c candidate) candidate {
	if c.entity.Source > graph.RDFa || len(p.concepts) == 0 {
		return c
	}
	var all []graph.Value
	fields := 0
	for i := range c.entity.Fields {
		f := &c.entity.Fields[i]
		sh.m.Step(1)
		if f.Name == c.field.Name || sh.isOtherName(p, c.field, f) {
			all = append(all, others(all, f.Values)...)
			fields++
		}
	}
	if fields < 2 || len(all) > sh.o.MaxItems {
		return c
	}
	sh.m.Step(len(all) * 4)
	if c.entity.Source != graph.JSONLD {
		sh.inOrder(all)
	}
	c.field = &graph.Field{Name: c.field.Name, Values: all}
	return c
}

// isOtherName reports whether a field has the same as another, under the name
// that was standard before it or that pages are wont to use for it.
func (sh *shaper) isOtherName(p *prop, of, f *graph.Field) bool {
	if names.IsConcept(f.Name) && names.IsConcept(of.Name) {
		return false // both are standard, and mean two things
	}
	return sh.name(of.Name).Is(p.concepts[0]) && sh.name(f.Name).Is(p.concepts[0])
}

// others returns the values that are not among those of other names. What a name has
// twice stays: salt goes into the dough and into the filling.
func others(known, values []graph.Value) []graph.Value {
	texts, entities := map[string]bool{}, map[*graph.Entity]bool{}
	for _, v := range known {
		texts[mention.Key(v.Text)], entities[v.Entity] = true, true
	}
	return slices.DeleteFunc(slices.Clone(values), func(v graph.Value) bool {
		if v.Kind == graph.Thing {
			return entities[v.Entity]
		}
		key := mention.Key(v.Text)
		return key != "" && texts[key]
	})
}

// inOrder sorts values by their place on the page.
func (sh *shaper) inOrder(all []graph.Value) {
	place := make(map[*html.Node]int, len(all))
	for _, v := range all {
		place[v.Element] = 0
	}
	top := all[0].Element
	for top.Parent != nil {
		sh.m.Step(1)
		top = top.Parent
	}
	at := 0
	for n := range sh.m.Below(top) {
		if _, wanted := place[n]; wanted {
			at++
			place[n] = at
		}
	}
	slices.SortStableFunc(all, func(a, b graph.Value) int { return cmp.Compare(place[a.Element], place[b.Element]) })
}
