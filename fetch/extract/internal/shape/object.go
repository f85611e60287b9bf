package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// fillMember fills an object that is the member of another: from a thing that
// has its name, from one of its kind, from a text that stands for it, or from
// the members that the outer thing has itself.
func (sh *shaper) fillMember(p *prop, v *view, s scope) *node {
	if s.outer != nil {
		return nil
	}
	switch {
	case len(v.props) == 0:
		return sh.fillFree(p, v, s)
	case wantsPairs(p):
		return sh.addPairs(sh.fillNamed(p, v, s), p, v, s)
	}
	return sh.fillNamed(p, v, s)
}

// fillNamed fills the members that a schema names.
func (sh *shaper) fillNamed(p *prop, v *view, s scope) *node {
	m := choice{sh: sh, p: p}
	for _, c := range sh.search(p, s) {
		for i := range c.field.Values {
			f := found{c.entity, c.field.Name, c.field.Values[i]}
			if m.take(sh.objectOf(f, v, s)) && f.value.Kind == graph.Thing && !p.is("baseSalary") {
				return m.best // a salary has its members a thing deeper
			}
		}
	}
	if m.best == nil && m.take(sh.ofKind(p, v, s)) {
		return m.best
	}
	flat := s
	flat.outer, flat.depth = p, s.depth+1
	if containers[p.key.Key] || containers[p.key.Plain] {
		flat.outer = nil // what it says of the thing stands in the thing
	}
	m.take(sh.fillObject(v, flat))
	return m.best
}

// containers are names of objects that only hold a part of what is said of a
// thing.
var containers = wordSet("details info information data attributes general basics basic summary overview meta metadata facts about")

// choice is the best that was found for an object.
type choice struct {
	sh   *shaper
	p    *prop
	best *node
}

// take keeps the object with more in it, and reports whether what is kept
// passes.
func (c *choice) take(n *node) bool {
	if n != nil && (c.best == nil || n.filled > c.best.filled) {
		c.best = n
	}
	return c.best != nil && c.sh.passes(c.p.sub, c.best)
}

// objectOf makes an object of a value: of a thing, or of a text that stands for
// one, such as the name of an author.
func (sh *shaper) objectOf(f found, v *view, s scope) *node {
	e := f.value.Entity
	if f.value.Kind == graph.Thing {
		if e == nil || slices.Contains(s.within, e) {
			return nil
		}
		n := sh.fillObject(v, scope{entities: sh.unwrap(e), within: append(slices.Clip(s.within), e), depth: s.depth + 1})
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

// unwrap returns what a thing is about: an item of a list is first what it
// lists.
func (sh *shaper) unwrap(e *graph.Entity) []*graph.Entity {
	list := []*graph.Entity{e}
	if !e.Is("ListItem") {
		return list
	}
	for _, v := range e.Get("item") {
		if v.Kind == graph.Thing && v.Entity != nil && v.Entity != e {
			list = append(list, v.Entity)
		}
	}
	return list
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
			inside := s.into(e)
			if s.depth == 0 {
				inside.entities = append(inside.entities, sh.things.page...)
			}
			if n := sh.fillObject(v, inside); n != nil {
				return n
			}
		}
	}
	if s.depth == 0 && len(names.Families(p.name)) > 0 {
		return sh.fillObject(v, scope{entities: sh.mainScope(v).entities, depth: 1})
	}
	return nil
}

// inner returns the property for a member of an object that the thing does not
// have as one: the currency of a price is the priceCurrency. It is nil where
// the two names together mean nothing, or another thing.
func inner(outer, p *prop) *prop {
	if p.is("name", "title", "text") || p.key.Key == "value" && len(outer.concepts) > 0 && len(names.Parse(outer.name+" value").Concepts) == 0 {
		same := *outer
		same.scores = map[string]int{}
		return &same
	}
	if len(p.concepts) > 0 && slices.ContainsFunc(names.Vias(p.concepts[0]), func(via string) bool { return slices.Contains(outer.concepts, via) }) {
		return p
	}
	joined := names.Parse(outer.name + " " + p.name)
	if len(joined.Concepts) == 0 && outer.is("baseSalary") {
		joined = names.Parse("baseSalary " + p.name)
	}
	if len(joined.Concepts) == 0 && outer.is("price") {
		joined = names.Parse("price " + p.name) // a cost, a fee
	}
	switch {
	case len(joined.Concepts) == 0 && len(p.concepts) == 0 && len(p.name) > 1:
		joined.Plain = "" // a page may call it by both names together: "Size, lower"
	case len(joined.Concepts) == 0 || joined.Plain != "":
		return nil
	}
	return &prop{name: p.name, key: joined, concepts: joined.Concepts, vias: viasOf(joined.Concepts), about: p.about, measure: p.measure, sub: p.sub, scores: map[string]int{}}
}
