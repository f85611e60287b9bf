package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// scope is where a property is searched for: in the first entity, then in what
// else the page says of the same thing.
type scope struct {
	entities []*graph.Entity
	// within are the things that are being filled, so that circles end.
	within []*graph.Entity
	// outer is the name of the object whose members are searched for in a
	// thing that has them itself: the currency of "price" in an offer.
	outer *prop
	depth int
	// variants are others of the same thing as the first entity.
	variants []*graph.Entity
}

func (s scope) into(e *graph.Entity) scope {
	return scope{entities: []*graph.Entity{e}, within: append(slices.Clip(s.within), e), depth: s.depth + 1}
}

// What makes an entity the main one, in points; a property that is found counts
// up to 100.
const (
	pointsKind    = 250 // the schema's title or description names its kind
	pointsMain    = 90  // the page says that it is about it
	pointsPrimary = 60  // it is of a kind that pages are about
	pointsAddress = 40  // it is at the page's address
	pointsNamed   = 120 // it has the name of the page, and others are of its kind
	pointsDepth   = -15 // for each thing around it
	pointsSource  = -4  // for each step of less care in the source
)

// mainScope chooses the entity that has the most of what the view asks for, and
// returns it with what else there is of the same thing and the page.
func (sh *shaper) mainScope(v *view) scope {
	main := sh.mainThing(v)
	if main == nil {
		return scope{entities: sh.things.page}
	}
	s := scope{entities: []*graph.Entity{main.entity}, within: []*graph.Entity{main.entity}, variants: sh.variantsOf(main.entity)}
	for i := range sh.things.all {
		t := &sh.things.all[i]
		sh.m.Step(1)
		if t.entity != main.entity && sameThing(main.entity, t.entity) {
			s.entities = append(s.entities, t.entity)
		}
	}
	switch {
	case main.entity.Source == graph.State:
		// What scripts keep is in units of their own: what is shown comes first.
		s.entities = slices.Concat(sh.things.page, s.entities)
	case main.primary || main.main || !sh.things.primary:
		s.entities = append(s.entities, sh.things.page...)
	}
	return s
}

func (sh *shaper) mainThing(v *view) *thing {
	var best *thing
	most := 0
	wanted := wantedFamilies(v)
	for i := range sh.things.all {
		t := &sh.things.all[i]
		if t.entity.Source >= graph.Table || isPage(t.entity) {
			continue // a card is not what a page is about
		}
		if !t.mayBeMain(wanted) || t.listed && !sh.isOfPage(t.entity) {
			continue
		}
		fill := sh.fillPoints(v, t.entity)
		if fill == 0 {
			continue
		}
		if points := fill + sh.points(t, wanted); points > most {
			best, most = t, points
		}
	}
	return best
}

// fillPoints counts the properties that an entity has.
func (sh *shaper) fillPoints(v *view, e *graph.Entity) int {
	sum := 0
	for _, p := range v.props {
		if list := sh.searchIn(p, e, 0); len(list) > 0 {
			sum += list[0].score
		}
	}
	return sum
}

func (sh *shaper) points(t *thing, wanted []string) int {
	points := pointsDepth*t.depth + pointsSource*int(t.entity.Source)
	if t.isOf(wanted) {
		points += pointsKind
	}
	if t.main {
		points += pointsMain
	}
	if t.primary {
		points += pointsPrimary
	}
	if sh.isNamed(t) {
		points += pointsNamed
	}
	if sh.isAddressOf(t.entity) {
		points += pointsAddress
	}
	return points
}

// isNamed reports whether the page has the name of a thing, of whose kind it
// has several: the others are what it only shows. What is reviewed has the name
// too, and is told of elsewhere.
func (sh *shaper) isNamed(t *thing) bool {
	if t.depth > 0 || !slices.ContainsFunc(t.families, func(f string) bool { return sh.things.counts[kindIn{f, t.entity.Source}] > 1 }) {
		return false
	}
	name := nameText(t.entity)
	return name != "" && slices.Contains(sh.things.titles, name)
}

// wantedFamilies are the kinds of things that a schema's title and description
// name.
func wantedFamilies(v *view) []string {
	found := names.Families(v.title)
	words := names.Words(v.title + " " + firstWords(v.about))
	for _, w := range words {
		found = append(found, names.Families(w)...)
	}
	return found
}

// firstWords cuts a description to what it is about.
func firstWords(text string) string {
	if len(text) > 80 {
		return text[:80]
	}
	return text
}
