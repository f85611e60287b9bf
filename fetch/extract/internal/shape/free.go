package shape

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// fillFree fills an object whose members the schema does not name: with what
// the thing has that the property is for, under the names that it has there.
func (sh *shaper) fillFree(p *prop, v *view, s scope) *node {
	if v.outline == nil || s.depth >= sh.o.MaxDepth {
		return nil
	}
	if p.is("additionalProperty") {
		return sh.addPairs(nil, p, v, s)
	}
	if n := sh.freeThing(p, v, s); n != nil || !wantsPairs(p) {
		return n
	}
	return sh.addPairs(nil, p, v, s)
}

// freeThing makes an object of the thing that a property is for.
func (sh *shaper) freeThing(p *prop, v *view, s scope) *node {
	for _, c := range sh.search(p, s) {
		for i := range c.field.Values {
			e := c.field.Values[i].Entity
			if c.field.Values[i].Kind != graph.Thing || e == nil || e.Source > graph.State {
				continue
			}
			for _, kind := range []*view{&anything, &anyText} {
				if n := sh.membersOf(p, kind, e); n != nil && sh.passes(v.outline, n) {
					return n
				}
			}
		}
	}
	return nil
}

var anyText = view{most: -1, types: typeString, typed: true, order: []types{typeString}}

// membersOf makes an object of the texts and numbers that a thing has.
func (sh *shaper) membersOf(p *prop, kind *view, e *graph.Entity) *node {
	n := &node{kind: object}
	for i := range e.Fields {
		f := &e.Fields[i]
		if len(n.members) == sh.o.MaxMembers {
			break
		}
		if strings.HasPrefix(f.Name, "@") {
			continue
		}
		own := &prop{name: f.Name, key: sh.name(f.Name), sub: p.sub}
		own.concepts = own.key.Concepts
		if sub := sh.scalar(own, kind, found{e, f.Name, f.Values[0]}, 0); sub != nil {
			n.add(f.Name, sub)
		}
	}
	if len(n.members) == 0 {
		return nil
	}
	return n
}
