package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// fillMember fills an object that is the member of another: with what a thing has
// that is one, or with all that the page has names for.
func (sh *shaper) fillMember(p *prop, v *view, s scope) (n *node) {
	if s.outer != nil {
		return nil
	}
	if len(v.props) > 0 || !p.is("additionalProperty") {
		n = sh.fillNamed(p, v, s)
	}
	if wantsPairs(p) && (n == nil || len(v.props) > 0) {
		return sh.addPairs(n, v, sh.pairs(p, s))
	}
	return n
}

// fillNamed fills an object from a thing that has the name of the property, from
// one of its kind, from a text that stands for it, or from the members that the
// outer thing has itself.
func (sh *shaper) fillNamed(p *prop, v *view, s scope) (best *node) {
	// take keeps the object with more in it, and reports whether it passes.
	take := func(n *node) bool {
		if n != nil && (best == nil || n.filled > best.filled) {
			best = n
		}
		return best != nil && sh.passes(p.sub, best)
	}
	if n := sh.wrapped(p, v, s); n != nil {
		return n
	}
	for _, c := range sh.search(p, s) {
		for _, value := range c.field.Values {
			if take(sh.objectOf(found{c.entity, c.field.Name, value}, v, s)) && value.Kind == graph.Thing && !p.is("baseSalary") {
				return best // a salary has its members a thing deeper
			}
		}
	}
	if best == nil && take(sh.ofKind(p, v, s)) {
		return best
	}
	flat := s
	flat.outer, flat.depth = p, s.depth+1
	if isIn("container", p.key.Key) || isIn("container", p.key.Plain) {
		flat.outer = nil // what it says of the thing stands in the thing
	}
	take(sh.fillObject(v, flat))
	return best
}

// maxWraps is how many objects around all that is asked for are seen through.
const maxWraps = 2

// wrapped fills an object that is there only to hold what is asked of the page, as the
// schema of the page would be without it: {"product": {…}}, {"data": {"items": […]}}. Where
// the schema asks for more beside it, the page has to say more of it than any page does.
func (sh *shaper) wrapped(p *prop, v *view, s scope) *node {
	ofPage := slices.ContainsFunc(names.Families(p.name), func(f string) bool { return isIn("primary", f) })
	if s.depth > 0 || s.outer != nil || s.wraps >= maxWraps || len(v.props) == 0 || !ofPage && (!s.alone || len(p.concepts) > 0 && !isIn("wrapper", p.key.Key)) {
		return nil
	}
	named, said := *v, *v.View
	said.Title = p.name + " " + said.Title
	named.View = &said
	in := sh.mainScope(&named)
	in.wraps = s.wraps + 1
	n := sh.fillObject(v, in)
	if n == nil || !s.alone && !slices.ContainsFunc(v.props, func(p *prop) bool { return !p.of("plain") && n.member(p.name) != nil }) {
		return nil
	}
	return n
}

// objectOf makes an object of a value: of a thing, or of a text that stands for
// one, such as the name of an author. Where the schema names no members, it has
// those that the thing has where it is declared.
func (sh *shaper) objectOf(f found, v *view, s scope) *node {
	e := f.value.Entity
	if f.value.Kind == graph.Thing {
		if e == nil || slices.Contains(s.within, e) {
			return nil
		}
		if len(v.props) == 0 && v.outline != nil && e.Source <= graph.State {
			return sh.addPairs(nil, v, sh.membersOf(e))
		}
		inside := s.into(e)
		if e.Is("ListItem") { // it is first what it lists
			inside.entities = append(inside.entities, thingsIn(&graph.Field{Values: e.Get("item")})...)
		}
		n := sh.fillObject(v, inside)
		sh.addUnit(n, v, f)
		return n
	}
	for _, p := range v.props {
		if !standsFor(p, f.value) {
			continue
		}
		for _, pv := range sh.variants(sh.view(p.sub)) {
			if n := sh.scalar(p, pv, f, 0); n != nil {
				obj := &node{kind: object, order: v.names}
				obj.add(p.name, n)
				sh.addUnit(obj, v, f)
				return obj
			}
		}
	}
	return nil
}

// ofKind fills an object from the entity whose kind has the name of the
// property: {"recipe": {…}}.
func (sh *shaper) ofKind(p *prop, v *view, s scope) *node {
	for _, family := range names.Families(p.name) {
		for _, e := range sh.things.byFamily[family] {
			sh.m.Step(1)
			if slices.Contains(s.within, e) && len(s.within) > 1 {
				continue
			}
			if n := sh.fillObject(v, s.into(e)); n != nil {
				return n
			}
		}
	}
	return nil
}

// inner returns the property for a member of an object that the thing does not
// have as one: the currency of a price is the priceCurrency. It is nil where
// the two names together mean nothing, or another thing.
func inner(outer, p *prop) *prop {
	if p.is(body) && slices.Contains(names.Families(outer.name), "Article") {
		return p
	}
	if p.is("name", "title", "text") || p.key.Key == "value" && len(outer.concepts) > 0 && len(names.Parse(outer.name+" value").Concepts) == 0 {
		same := *outer
		same.scores = map[string]int{}
		return &same
	}
	if len(p.concepts) > 0 && slices.ContainsFunc(names.Vias(p.concepts[0]), func(via string) bool { return slices.Contains(outer.concepts, via) }) {
		return p
	}
	joined := names.Parse(outer.name + " " + p.name)
	if len(joined.Concepts) == 0 && outer.is("baseSalary", "price") { // a pay, a cost, a fee
		joined = names.Parse(outer.concepts[0] + " " + p.name)
	}
	switch {
	case len(joined.Concepts) == 0 && len(p.concepts) == 0 && len(p.name) > 1:
		joined.Plain = "" // a page may call it by both names together: "Size, lower"
	case len(joined.Concepts) == 0 || joined.Plain != "":
		return nil
	}
	return &prop{name: p.name, key: joined, concepts: joined.Concepts, vias: viasOf(joined.Concepts), about: p.about, measure: p.measure, sub: p.sub, scores: map[string]int{}}
}

// typesOf are the types of a thing, those that it has or what is expected of the
// value of a property.
func typesOf(e *graph.Entity, via string) []string {
	kind := names.ExpectedType(via)
	switch {
	case kind == "" || len(e.Types) > 0 || e.Source > graph.RDFa:
		return e.Types
	case kind == "Offer" && (e.Get("lowPrice") != nil || e.Get("offers") != nil):
		kind = "AggregateOffer"
	case kind == "HowToStep" && e.Get("itemListElement") != nil:
		kind = "HowToSection"
	}
	return []string{kind}
}

// isA reports whether a thing is of one of the types.
func (sh *shaper) isA(e *graph.Entity, types ...string) bool {
	return slices.ContainsFunc(sh.things.of(e).types, func(t string) bool { return slices.Contains(types, t) })
}
