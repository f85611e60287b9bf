package shape

import (
	"strings"

	"github.com/drover-go/drover/internal/names"
)

// addPairs adds to an object the pairs that its schema has a place for: under
// the names of its properties, or under those of the page.
func (sh *shaper) addPairs(n *node, p *prop, v *view, s scope) *node {
	if n == nil {
		n = &node{kind: object, order: v.names}
	}
	for _, pr := range sh.pairs(p, s) {
		name := strings.TrimSpace(pr.name.value.Text)
		own, kind := sh.namedFor(v, name), (*view)(nil)
		if own != nil {
			kind = sh.view(own.sub)
		} else {
			own, kind = &prop{name: name, key: sh.name(name), sub: p.sub}, sh.memberView(v, name)
		}
		if kind == nil || n.member(own.name) != nil {
			continue
		}
		if sub := sh.scalar(own, kind, pr.value, 0); sub != nil {
			n.insert(own.name, sub)
		}
	}
	if len(n.members) == 0 {
		return nil
	}
	return n
}

// namedFor returns the property of a schema for a name, nil if it has none.
func (sh *shaper) namedFor(v *view, name string) *prop {
	for _, p := range v.props {
		if p.name == name || sh.score(p, name) >= names.Kind {
			return p
		}
	}
	return nil
}

// memberView is what a schema says of a member that it does not name, nil where
// it may not be there.
func (sh *shaper) memberView(v *view, name string) *view {
	sh.m.Step(1 + len(v.patterns))
	for _, pattern := range v.patterns {
		if pattern.Match(name) {
			return sh.view(pattern.Schema)
		}
	}
	switch {
	case v.closed || len(v.props) > 0 && v.additional == nil:
		return nil
	case v.additional != nil:
		return sh.view(v.additional)
	}
	return &anything
}

// listOfPairs makes a list of names and values, where the items of an array are
// to be that; nil for others.
func (sh *shaper) listOfPairs(p *prop, v *view, s scope) *node {
	if !wantsPairs(p) || v.items == nil || s.outer != nil {
		return nil
	}
	items := sh.view(v.items)
	name, val := partsOfPair(items)
	if name == nil || val == nil {
		return nil
	}
	l := sh.newList(p, v)
	for _, pr := range sh.pairs(p, s) {
		n := &node{kind: object, order: items.names}
		for _, member := range items.props {
			f := pr.value
			switch member {
			case name:
				f = pr.name
			case val:
			default:
				continue
			}
			plain := &prop{name: member.name, key: member.key, sub: member.sub}
			if sub := sh.scalar(plain, sh.view(member.sub), f, 0); sub != nil {
				n.add(member.name, sub)
			}
		}
		if len(n.members) == 2 && !l.full() && sh.passes(v.items, n) {
			l.node.push(n)
		}
	}
	return l.result()
}

// partsOfPair returns the properties of an object that are its name and its
// value.
func partsOfPair(v *view) (name, val *prop) {
	for _, p := range v.props {
		switch p.key.Key {
		case "name", "key", "label", "attribute", "property", "title", "feature", "term", "spec", "nutrient", "merkmal", "nom", "nombre":
			if name == nil {
				name = p
			}
		case "value", "text", "detail", "content", "description", "val", "amount", "wert", "valeur", "valor", "quantity":
			if val == nil {
				val = p
			}
		}
	}
	return name, val
}
