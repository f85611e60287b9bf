package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// fillArray fills a list: from the values of a field, from the entities whose
// kind has the name of the property, and last from the repeated items of the
// page. Where no item has all that is required, all may miss something.
func (sh *shaper) fillArray(p *prop, v *view, s scope) *node {
	if s.outer != nil {
		return nil
	}
	if n := sh.listOfPairs(p, v, s); n != nil && sh.passes(p.sub, n) {
		return n
	}
	n := sh.orShown(p, v, s, sh.listFor(p, v, s))
	if n != nil || v.Items == nil || len(sh.view(v.Items).Required) == 0 {
		return n
	}
	defer func(around *prop) { sh.lenient = around }(sh.lenient)
	sh.lenient = p
	return sh.listFor(p, v, s)
}

// listFor makes a list of the best of the places where one may be.
func (sh *shaper) listFor(p *prop, v *view, s scope) (best *node) {
	for _, c := range sh.search(p, s) {
		ofPage := c.entity.Source == graph.Document && slices.Contains([]string{"items", "h1", "title"}, c.field.Name)
		if c.entity.Source == graph.Document && p.asksHeadings() && c.field.Name != "sections" {
			continue // only the first
		}
		if c.entity.Source == graph.Document && !sh.newList(p, v).wantsScalars() && (sh.isHeaded(p, c.field.Values[0]) || sh.isShelf(c.field, v)) {
			continue
		}
		if ofPage && !sh.newList(p, v).wantsScalars() || sh.isCount(c.field.Name) {
			continue // any items, what the page is called, and how many there are
		}
		if best = sh.listOf(c, p, v, false); best != nil {
			return best
		}
	}
	if s.depth == 0 {
		best = sh.listOfKind(p, v)
	}
	if best == nil {
		best = sh.listOfItems(p, v, s)
	}
	return best
}

// isHeaded reports whether a text stands under a heading that names a list of things, and
// is none of them: a link of a menu, or a sentence.
func (sh *shaper) isHeaded(p *prop, v graph.Value) bool {
	return v.Kind == graph.Text && v.Source == graph.Section && (v.Aside || len(p.concepts) == 0 && isSentence(v))
}

// isCount reports whether a name is that of how many there are.
func (sh *shaper) isCount(name string) bool {
	concepts := sh.name(name).Concepts
	return len(concepts) > 0 && strings.HasSuffix(concepts[0], "Count")
}

// isOtherCount reports whether a field is a number of votes, and a property asks
// for how good something is or how many said so, or the reverse: a question has
// votes, and no reviews.
func (sh *shaper) isOtherCount(p *prop, e *graph.Entity, f *graph.Field) bool {
	if strings.Contains(p.key.Key, "vote") && sh.name(f.Name).Is("reviewCount") {
		return true
	}
	if !p.is("ratingValue", "aggregateRating", "reviewRating", "ratingCount", "reviewCount", "review") || !strings.Contains(strings.ToLower(f.Name), "vote") {
		return false
	}
	return !strings.Contains(p.key.Key, "vote") && sh.isCount(f.Name) && !(p.is("ratingCount", "reviewCount") && sh.isA(e, "AggregateRating"))
}

// listOfKind makes a list of the entities whose kind has the name of the
// property, or of its items: {"jobs": […]}.
func (sh *shaper) listOfKind(p *prop, v *view) *node {
	families := names.Families(p.name)
	if len(p.concepts) > 0 {
		families = append(families, names.Families(p.concepts[0])...)
	}
	if isIn("posts", p.key.Key) {
		families = append([]string{"DiscussionForumPosting"}, families...)
	}
	l := sh.newList(p, v)
	l.whole = true
	for _, family := range families {
		for _, e := range sh.things.byFamily[family] {
			if e.Is("BreadcrumbList") || isIn("listable", family) {
				l.value(found{e, "", graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Place: e.Place}})
			}
			for _, answer := range e.Get("comment") {
				if isIn("posts", p.key.Key) {
					l.value(found{e, "comment", answer})
				}
			}
		}
		if n := l.result(); n != nil {
			return n
		}
	}
	return nil
}
