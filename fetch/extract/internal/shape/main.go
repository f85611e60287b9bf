package shape

import (
	"slices"
	"strings"

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
	// wraps are the objects around that only hold what is asked for, and alone says that
	// a property has none beside it.
	wraps int
	alone bool
	// variants are others of the same thing as the first entity.
	variants []*graph.Entity
}

func (s scope) into(e *graph.Entity) scope {
	return scope{entities: []*graph.Entity{e}, within: append(slices.Clip(s.within), e), depth: s.depth + 1}
}

// mainScope chooses the entity that has the most of what the view asks for, and
// returns it with what else there is of the same thing and the page.
func (sh *shaper) mainScope(v *view) scope {
	main := sh.mainThing(v)
	var cards []*graph.Entity
	if kindOf(v.props) == ofRecipe {
		cards = sh.cards()
	}
	if main == nil {
		return scope{entities: append(slices.Clip(sh.things.page), cards...)}
	}
	s := scope{entities: []*graph.Entity{main.entity}, within: []*graph.Entity{main.entity}, variants: sh.variantsOf(main.entity)}
	sh.m.Step(len(sh.things.all))
	for i := range sh.things.all {
		if t := &sh.things.all[i]; t != main && main.isSame(t) {
			s.entities = append(s.entities, t.entity)
		}
	}
	switch {
	case main.entity.Source == graph.State:
		// What scripts keep is in units of their own: what is shown comes first.
		s.entities = slices.Concat(sh.things.page, s.entities)
	case main.primary || main.main || !sh.things.primary:
		s.entities = append(append(s.entities, sh.things.page...), cards...)
	}
	return s
}

// mainThing returns the thing with the most points, nil if none has anything
// that is asked for. About one that only belongs to another a page is if the
// schema names its kind, and not the owner's.
func (sh *shaper) mainThing(v *view) (best *thing) {
	most := 0
	wanted := names.Families(v.Title)
	for _, w := range names.Words(v.Title + " " + v.Description[:min(len(v.Description), 80)]) {
		wanted = append(wanted, names.Families(w)...)
	}
	decided := sh.decides(v)
	if decided {
		most = sh.fillPoints(v, sh.things.itself) + byItself
	}
	elsewhere, ofWhat := false, kindOf(v.props)
	for i := range sh.things.all {
		t := &sh.things.all[i]
		if t.depth == 0 {
			elsewhere = sh.isElsewhere(t)
		}
		if t.entity.Source >= graph.Table || isPage(t.entity) {
			continue // a card is not what a page is about
		}
		if ofWhat != ofProduct && t.entity.Source == graph.State && sh.isAround(t.entity.Place) {
			continue // nor is its footer; the variants of a product are it
		}
		if decided && slices.Contains(t.families, "WebPage") && !t.isOf(wanted) {
			continue // it is the page itself
		}
		if t.aside && (!t.isOf(wanted) || t.owner.isOf(wanted)) || t.listed && !sh.hasPageName(t) && !sh.hasPageURL(t) {
			continue
		}
		if elsewhere {
			continue // or in one that is
		}
		if fill := sh.fillPoints(v, t.entity); fill > 0 && fill+sh.points(t, wanted) > most {
			best, most = t, fill+sh.points(t, wanted)
		}
	}
	return best
}

// byItself are the points of the page itself beside a thing on it: fewer than those of one
// that is of a kind that pages are about, more than those of any other.
const byItself = 50

// decides reports whether a schema asks for what is decided of a page, and not only for the
// name of something.
func (sh *shaper) decides(v *view) bool {
	for _, p := range v.props {
		if sh.addItself(p, scope{entities: sh.things.page}); p.of("itself") && (p.isHeadline() || !p.is("name", "description", "image", "url")) {
			return sh.things.itself != nil && sh.things.itself.Fields != nil && p.mayBeOfPage()
		}
	}
	return false
}

// fillPoints counts the properties that an entity has, up to 100 each.
func (sh *shaper) fillPoints(v *view, e *graph.Entity) int {
	sum := 0
	for _, p := range v.props {
		if list := sh.searchIn(p, e, 0); len(list) > 0 {
			sum += list[0].score
		}
	}
	return sum
}

// points says what else makes a thing the main one: less with each thing around
// it, and with each step of less care in the source.
func (sh *shaper) points(t *thing, wanted []string) int {
	points := -15*t.depth - 4*int(t.entity.Source)
	for _, reason := range []struct {
		holds  bool
		points int
	}{
		{t.isOf(wanted), 250}, // the schema's title or description names its kind
		{t.main, 90},          // the page says that it is about it
		{t.primary, 60},       // it is of a kind that pages are about
		{sh.hasPageURL(t), 40},
		// It has the name of the page, and others are of its kind: those the page only
		// shows. What is reviewed has the name, too, and is told of elsewhere.
		{t.depth == 0 && sh.hasPageName(t) && slices.ContainsFunc(t.families, func(f string) bool { return sh.things.counts[kindIn{f, t.entity.Source}] > 1 }), 120},
	} {
		if reason.holds {
			points += reason.points
		}
	}
	return points
}

// hasPageName reports whether a thing is called what the page is.
func (sh *shaper) hasPageName(t *thing) bool {
	return slices.Contains(sh.things.titles, nameText(t.entity))
}

// isElsewhere reports whether a product is one that the page only shows: it has a page
// of its own at another address, and another name.
func (sh *shaper) isElsewhere(t *thing) bool {
	u := said(t.entity, "url").value.Text
	if u == "" || t.depth > 0 || t.main || !slices.Contains(t.families, "Product") {
		return false
	}
	sh.m.Step(1 + len(sh.things.titles))
	own, name := lastOf(sh.o.PageURL), nameText(t.entity)
	if last := lastOf(u); last == "" || own == "" || strings.Contains(own, last) || strings.Contains(last, own) || name == "" {
		return false
	}
	return len(sh.things.titles) > 0 && !slices.ContainsFunc(sh.things.titles, func(title string) bool {
		return strings.Contains(title, name) || title != "" && strings.Contains(name, title)
	})
}

// lastOf returns the last part of the path of an address.
func lastOf(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	address = strings.TrimRight(address, "/")
	return strings.ToLower(address[strings.LastIndexByte(address, '/')+1:])
}

// hasPageURL reports whether a thing is said to be at the address of the page.
func (sh *shaper) hasPageURL(t *thing) bool { return sh.isAtPage(t.entity) }

func (sh *shaper) isAtPage(e *graph.Entity) bool {
	of := func(u string) string {
		u, _, _ = strings.Cut(u, "#")
		return strings.TrimSuffix(u, "/")
	}
	page := of(sh.o.PageURL)
	return page != "" && (of(e.ID) == page || of(said(e, "url").value.Text) == page)
}
