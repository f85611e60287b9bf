package shape

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// thing is an entity with what its surroundings say of it.
type thing struct {
	entity   *graph.Entity
	types    []string // those that it has, or that are expected where it is
	families []string // the kinds of things that its own types are
	depth    int      // how many things are around it
	main     bool     // the page says that it is about it
	primary  bool     // it is of a kind that pages are about
	aside    bool     // it only belongs to another thing, as its publisher does
	owner    *thing   // of a thing that is aside: whose it is, else nil
	listed   bool     // it is one of several in a list
	currency string   // that it says, or the one around it
}

// things are all the entities of a page, in their order, and what stands for the
// page itself.
type things struct {
	all      []thing
	at       map[*graph.Entity]int // the place of each in all
	byFamily map[string][]*graph.Entity
	page     []*graph.Entity // meta elements, the document, its labels
	document *graph.Entity   // nil where the page shows nothing
	itself   *graph.Entity   // what is decided of the page, once that was asked for
	primary  bool            // one is of a kind that pages are about
	titles   []string        // keys of what the page calls itself
	counts   map[kindIn]int
	groups   []candidate // the fields with several things, once they were asked for
}

// of returns what is known of an entity.
func (t *things) of(e *graph.Entity) thing {
	if i, ok := t.at[e]; ok {
		return t.all[i]
	}
	return thing{}
}

// kindIn is a kind of things as one source has them.
type kindIn struct {
	family string
	source graph.Source
}

// maxThings is how many entities are looked at, and maxAround how many may stand
// around one.
const (
	maxThings = 20_000
	maxAround = 8
)

// survey walks the graph.
func (sh *shaper) survey(g *graph.Graph) {
	sh.things = things{at: map[*graph.Entity]int{}, byFamily: map[string][]*graph.Entity{}, counts: map[kindIn]int{}}
	for _, e := range g.Roots {
		if e.Source == graph.Document && sh.things.document == nil { // the number in its address is another
			sh.things.document = e
		}
		if isPage(e) {
			sh.things.page = append(sh.things.page, e)
			for _, name := range []string{"h1", "og:title", "twitter:title", "title"} {
				if text := said(e, name).value.Text; text != "" && len(text) < 500 {
					sh.things.titles = append(sh.things.titles, mention.Key(text))
				}
			}
		}
		sh.visit(thing{entity: e}, "")
	}
	if sh.o.Itself != nil && sh.things.document != nil {
		sh.things.itself = &graph.Entity{Source: graph.Document, Element: sh.things.document.Element}
		sh.things.page = slices.Insert(sh.things.page, 0, sh.things.itself)
	}
}

// visit keeps a thing, the value of a field, and visits those in it.
func (sh *shaper) visit(t thing, via string) {
	all, e := &sh.things, t.entity
	if _, seen := all.at[e]; seen || e == nil || len(all.all) >= maxThings {
		return
	}
	if !isPage(e) {
		t.currency = cmp.Or(ownCurrency(e), t.currency)
	}
	if e.Get("mainEntityOfPage") != nil {
		t.main, t.aside = true, false
	}
	t.types = typesOf(e, via)
	sh.m.Step(4 + len(e.Fields))
	t.families = familiesOf(e.Types)
	t.primary = slices.ContainsFunc(t.families, func(f string) bool { return isIn("primary", f) })
	all.primary = all.primary || t.primary && t.depth == 0
	all.at[e] = len(all.all)
	all.all = append(all.all, t)
	for _, f := range t.families {
		all.byFamily[f] = append(all.byFamily[f], e)
		all.counts[kindIn{f, e.Source}]++
	}
	if t.depth >= maxAround {
		return
	}
	for i := range e.Fields {
		f := &e.Fields[i]
		inside := thingsIn(f)
		for _, in := range inside {
			sh.m.Step(1)
			sh.visit(t.inner(in, f, len(inside)), f.Name)
		}
	}
}

// inner is a thing in a field of another, one of several: it is aside if the
// field says so.
func (t *thing) inner(e *graph.Entity, f *graph.Field, several int) thing {
	in := thing{entity: e, depth: t.depth + 1, currency: t.currency, aside: t.aside, owner: t.owner, listed: t.listed}
	if isIn("main", f.Name) && several == 1 && !t.entity.Is("FAQPage") {
		in.main, in.depth = true, t.depth
	}
	if !t.aside && (isIn("beside", f.Name) || isIn("owner", f.Name) && t.primary) {
		in.aside, in.owner = true, t
	}
	if (t.entity.Source == graph.State || f.Name == "itemListElement") && several > 1 {
		in.listed = true
	}
	return in
}

// isPage reports whether what an entity says is said of the page as a whole.
func isPage(e *graph.Entity) bool {
	switch e.Source {
	case graph.Meta, graph.Document, graph.Label, graph.Definition, graph.Class:
		return true
	case graph.Table:
		return len(e.Types) == 0
	}
	return false
}

// familiesOf returns types with the kinds of things that they are.
func familiesOf(types []string) (all []string) {
	for _, t := range types {
		for _, f := range append([]string{t}, names.TypeFamilies(t)...) {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

// isOf reports whether a thing is of one of the kinds.
func (t *thing) isOf(wanted []string) bool {
	return slices.ContainsFunc(t.families, func(f string) bool { return slices.Contains(wanted, f) })
}

// isSame reports whether two things are the same: by their address, or those of
// different readers by their kind and name.
func (t *thing) isSame(o *thing) bool {
	if t.entity.Source == o.entity.Source || !t.isOf(o.families) {
		return t.entity.ID != "" && t.entity.ID == o.entity.ID
	}
	name := nameText(t.entity)
	return name != "" && name == nameText(o.entity)
}

func nameText(e *graph.Entity) string {
	return mention.Key(said(e, "name", "headline", "title").value.Text)
}
