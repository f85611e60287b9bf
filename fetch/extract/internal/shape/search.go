package shape

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// candidate is a field that may be what a property asks for.
type candidate struct {
	entity *graph.Entity
	field  *graph.Field
	score  int
	rank   int // of the entity in the scope
}

const (
	// maxVia is how many things deep a property is searched for.
	maxVia = 3
	// costVia is what a step to a thing inside costs.
	costVia = 6
)

// search returns the fields that may be what is wanted, the best first. A good
// name in the thing itself is better than the best one elsewhere; what is only
// near to it, or only described, is used where nothing else is.
func (sh *shaper) search(p *prop, s scope) []candidate {
	sh.addBody(p, s)
	sh.addItself(p, s)
	var all []candidate
	for rank, e := range s.entities {
		if e == sh.things.itself && !p.mayBeOfPage() {
			continue
		}
		for _, c := range sh.searchIn(p, e, 0) {
			c.rank = rank
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(tier(a), tier(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(b.score, a.score))
	})
	switch {
	case p.is("sku"):
		all = sh.byNumber(all)
	case p.is("availability"):
		all = sh.byScarcity(p, all, s.variants)
	case p.is("author", "creator"):
		all = withNames(all)
	case p.kind == ofAnything && p.isHeadline() && len(s.entities) > 0 && slices.Contains(sh.things.of(s.entities[0]).families, "Article"):
		slices.SortStableFunc(all, func(a, b candidate) int { return sh.notItself(a) - sh.notItself(b) })
	}
	return all
}

// withNames leaves of what a page declares who wrote it the names of people. Who writes a
// remark calls himself as he likes.
func withNames(all []candidate) []candidate {
	kept := all[:0]
	for _, c := range all {
		if declaresNames(c.entity) {
			c.field = &graph.Field{Name: c.field.Name, Values: people.Declared(c.field.Values, false)}
		}
		if len(c.field.Values) > 0 {
			kept = append(kept, c)
		}
	}
	return kept
}

func declaresNames(e *graph.Entity) bool {
	return e.Source < graph.Table && !slices.ContainsFunc(familiesOf(e.Types), func(family string) bool { return isIn("remark", family) })
}

func tier(c candidate) int {
	if c.score >= names.Near {
		return 0
	}
	return 1
}

// searchIn returns the candidates in one entity, the best first.
func (sh *shaper) searchIn(p *prop, e *graph.Entity, depth int) []candidate {
	var all []candidate
	for f := range sh.fieldsFor(p, e) {
		sh.m.Step(1)
		if sh.isOther(p, e, f) {
			continue
		}
		if score := sh.fit(p, e, f); score > 0 {
			all = append(all, candidate{entity: e, field: f, score: score})
		}
		if depth < maxVia {
			all = append(all, sh.searchBelow(p, f, depth)...)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return all
}

// searchBelow looks into the things that a field holds, if the property may be
// there: the price of a product in its offers.
func (sh *shaper) searchBelow(p *prop, f *graph.Field, depth int) (all []candidate) {
	if f.Name == "additionalProperty" && !p.is("additionalProperty") {
		return sh.searchPairs(p, f)
	}
	if f.Name == "interactionStatistic" {
		if !sh.view(p.sub).may(typeNumber|typeInteger) && !p.of("count") {
			return nil // the comments, and not how many there are
		}
		return searchCounters(p, f)
	}
	if len(p.vias) == 0 {
		return nil
	}
	key := sh.name(f.Name).Key
	for _, via := range p.vias {
		if via.key == key {
			all = append(all, sh.searchThings(p, via.concept, f, depth)...)
		}
	}
	return all
}

// searchPairs looks for the value of the PropertyValue that has the name of a
// property.
func (sh *shaper) searchPairs(p *prop, f *graph.Field) (all []candidate) {
	for _, e := range thingsIn(f) {
		value := e.Get("value")
		if score := sh.score(p, said(e, "name").value.Text); score >= names.Near && len(value) > 0 {
			all = append(all, candidate{entity: e, field: &graph.Field{Name: "value", Values: value}, score: score - costVia})
		}
	}
	return all
}

// searchCounters looks for how often people did with a thing what a property is called after:
// "likes" of an InteractionCounter whose type is a LikeAction.
func searchCounters(p *prop, f *graph.Field) (all []candidate) {
	for _, e := range thingsIn(f) {
		count, kind := e.Get("userInteractionCount"), said(e, "interactionType").value.Text
		if vs := e.Get("interactionType"); kind == "" && len(vs) > 0 && vs[0].Entity != nil {
			kind = strings.Join(vs[0].Entity.Types, " ") + said(vs[0].Entity, "name", "@id").value.Text
		}
		kind = mention.CutVocabulary(kind)
		if _, known := sets()[kind]; known && len(count) > 0 && isIn(kind, p.key.Key) {
			all = append(all, candidate{entity: e, field: &graph.Field{Name: "userInteractionCount", Values: count}, score: names.Synonym})
		}
	}
	return all
}

// searchThings looks into things for what is a concept of theirs. The first that
// has it is the one, but for what several offers say of one thing: it can be had
// if one of them has it.
func (sh *shaper) searchThings(p *prop, concept string, f *graph.Field, depth int) (all []candidate) {
	things := thingsIn(f)
	switch f.Name {
	case "hasVariant", "offers":
		things = sh.ofAddress(things)
	case "priceSpecification":
		if things = specifications(p, things); p.is("originalPrice") {
			for _, e := range things {
				all = append(all, candidate{entity: e, field: &graph.Field{Name: "price", Values: e.Get("price")}, score: names.Near})
			}
			return slices.DeleteFunc(all, func(c candidate) bool { return len(c.field.Values) == 0 })
		}
	}
	if f.Name == "hasVariant" && len(things) <= maxKin { // the price is that of what is sold
		slices.SortStableFunc(things, func(a, b *graph.Entity) int { return cmp.Compare(sh.gone(a, p), sh.gone(b, p)) })
	}
	for _, e := range things {
		for _, c := range sh.searchIn(p, e, depth+1) {
			c.score -= costVia
			all = append(all, c)
		}
		for _, name := range names.Inside(concept) {
			inner := graph.Field{Name: name, Values: e.Get(name)}
			if len(inner.Values) > 0 && sh.isQualified(p, &inner) {
				all = append(all, candidate{entity: e, field: &inner, score: names.Near})
			}
		}
		if len(all) > 0 && concept != "availability" {
			return all
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(scarcity(a), scarcity(b)) })
	return all
}

// specifications returns those of the prices of an offer that are the old one where
// that is asked for, and else those that anybody pays, if there are any.
func specifications(p *prop, things []*graph.Entity) []*graph.Entity {
	var old, own []*graph.Entity
	for _, e := range things {
		switch {
		case oldPriceType().MatchString(cutText(said(e, "priceType").value.Text)):
			old = append(old, e)
		case e.Get("validForMemberTier") == nil && e.Get("referenceQuantity") == nil:
			own = append(own, e)
		}
	}
	switch {
	case p.is("originalPrice"):
		return old
	case len(own) == 0:
		return things
	}
	return own
}

// oldPriceType is in the types of prices (schema.org, PriceTypeEnumeration) that a thing
// is not sold at.
var oldPriceType = lexicon.Pattern(`(?i)ListPrice|StrikethroughPrice|MSRP|SRP|RegularPrice`)

// ofAddress returns those of several things that are at the address of the page, such
// as the variant that it shows, or all where none are.
func (sh *shaper) ofAddress(things []*graph.Entity) []*graph.Entity {
	if len(things) < 2 || len(things) > maxKin {
		return things
	}
	var own []*graph.Entity
	for _, e := range things {
		if sh.isAtPage(e) {
			own = append(own, e)
		}
	}
	if len(own) == 0 {
		return things
	}
	return own
}

// thingsIn returns the things that a field holds.
func thingsIn(f *graph.Field) (all []*graph.Entity) {
	for i := range f.Values {
		if e := f.Values[i].Entity; f.Values[i].Kind == graph.Thing && e != nil {
			all = append(all, e)
		}
	}
	return all
}

// gone is 1 for a thing that says that it cannot be had, else 0.
func (sh *shaper) gone(e *graph.Entity, p *prop) int {
	if all := sh.searchIn(propOf("availability", p.sub), e, 1); len(all) > 0 {
		return scarcity(all[0])
	}
	return 0
}

// scarcity is 0 for what says that a thing can be had, else 1.
func scarcity(c candidate) int {
	if has, ok := mention.Bool(c.field.Values[0].Text); ok && has {
		return 0
	}
	return 1
}

// sourceOf is where a value was found.
func sourceOf(e *graph.Entity, v *graph.Value) graph.Source {
	if v.Source == 0 && e != nil {
		return e.Source
	}
	return v.Source
}

// manyFields is from how many fields on those of a thing are looked up in an
// index: a page may have thousands of labels, and every property asks for some.
const manyFields = 64

// nameSteps is what reading a name counts as.
const nameSteps = 8

// fieldsFor yields the fields of a thing in which a property may be, or all of
// them where that is as quick.
func (sh *shaper) fieldsFor(p *prop, e *graph.Entity) iter.Seq[*graph.Field] {
	return func(yield func(*graph.Field) bool) {
		if len(e.Fields) < manyFields || e.Source == graph.Table {
			for i := range e.Fields {
				if !yield(&e.Fields[i]) {
					return
				}
			}
			return
		}
		for _, i := range sh.lookUp(p, sh.indexOf(e)) {
			if !yield(&e.Fields[i]) {
				return
			}
		}
	}
}

// lookUp returns the numbers of the fields whose names may be those of a
// property, or of what it may be in.
func (sh *shaper) lookUp(p *prop, x *names.Index) []int32 {
	found := x.Find(x.Find(nil, p.key), p.label)
	if p.described {
		for _, c := range p.concepts {
			found = x.Find(found, sh.conceptName(c))
		}
	}
	for _, in := range append(slices.Clip(p.vias), via{key: "item"}, via{key: "itemlistelement"}) {
		found = x.FindKey(found, in.key)
	}
	sh.m.Step(8 + 2*len(found))
	return names.Sorted(found)
}

// indexOf returns the index of the names that a thing has, made once.
func (sh *shaper) indexOf(e *graph.Entity) *names.Index {
	if x := sh.indexes[e]; x != nil {
		return x
	}
	x := names.NewIndex()
	for i := range e.Fields {
		sh.m.Step(1)
		x.Add(i, sh.name(e.Fields[i].Name))
	}
	sh.indexes[e] = x
	return x
}
