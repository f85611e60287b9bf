package shape

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
)

// pair is a name that a page has for something of its thing, with the value:
// "Width", "10 cm". What a schema asks for as "specs" are all of them.
type pair struct {
	name  found
	value found
}

// nutritionParts are the concepts that a list of nutrition facts has.
var nutritionParts = []string{"calories", "fatContent", "proteinContent", "carbohydrateContent", "sugarContent", "fiberContent", "sodiumContent", "saturatedFatContent", "cholesterolContent"}

// wantsPairs reports whether a property asks for what a page says of its thing
// under names of its own.
func wantsPairs(p *prop) bool { return p.is("additionalProperty", "nutrition") }

// pairs returns what a page says of its thing in so many words: for machines as
// a list of names and values, else in its tables and definition lists, those
// under a heading of the property's name if there are any.
func (sh *shaper) pairs(p *prop, s scope) []pair {
	for _, c := range sh.search(p, s) {
		if c.entity.Source > graph.State {
			continue
		}
		if all := sh.pairsIn(p, c.field.Values); len(all) > 0 {
			return all
		}
	}
	if s.depth > 1 {
		return nil
	}
	for _, e := range sh.things.page {
		if e.Source != graph.Document {
			continue
		}
		among := sh.under(p, e)
		for _, from := range []map[*html.Node]bool{among, nil} {
			if all := sh.shownPairs(p, e, from, graph.Table, graph.Definition); len(all) > 0 {
				return all
			}
			if all := sh.shownPairs(p, e, from, graph.Label); from != nil && len(all) > 0 {
				return all
			}
		}
	}
	return nil
}

// The names that things have for the two parts of a pair.
var (
	pairNames  = []string{"name", "key", "label", "propertyID", "title"}
	pairValues = []string{"value", "text", "description"}
)

// pairsIn reads a list of things with a name and a value, such as the
// PropertyValues of schema.org.
func (sh *shaper) pairsIn(p *prop, values []graph.Value) (all []pair) {
	for i := range values {
		e := values[i].Entity
		sh.m.Step(1)
		if values[i].Kind != graph.Thing || e == nil || len(all) >= sh.o.MaxMembers {
			continue
		}
		name, ok := firstText(e, pairNames)
		if !ok {
			continue
		}
		if val, ok := firstText(e, pairValues); ok {
			val.value = withUnit(e, val.value)
			all = append(all, pair{name, val})
		}
	}
	return all
}

func firstText(e *graph.Entity, names []string) (found, bool) {
	for _, name := range names {
		if vs := e.Get(name); len(vs) > 0 && vs[0].Kind != graph.Thing && vs[0].Text != "" {
			return found{e, name, vs[0]}, true
		}
	}
	return found{}, false
}

// withUnit puts the unit behind a number that has one beside it.
func withUnit(e *graph.Entity, v graph.Value) graph.Value {
	if vs := e.Get("unitText"); len(vs) > 0 && vs[0].Kind != graph.Thing && strings.Trim(v.Text, "0123456789.,- ") == "" {
		v.Kind, v.Text = graph.Text, v.Text+" "+vs[0].Text
	}
	return v
}

// under returns the elements that stand under the headings of a property's name;
// nil where there are none.
func (sh *shaper) under(p *prop, e *graph.Entity) map[*html.Node]bool {
	var in map[*html.Node]bool
	for i := range e.Fields {
		f := &e.Fields[i]
		sh.m.Step(1)
		if f.Values[0].Source != graph.Section || !sh.name(f.Name).Is(p.concepts[0]) {
			continue
		}
		if in == nil {
			in = map[*html.Node]bool{}
		}
		for j := range f.Values {
			in[f.Values[j].Element] = true
		}
	}
	return in
}

// Sizes of what may be a name and a value of a pair, in bytes.
const (
	maxPairName  = 80
	maxPairValue = 1000
)

// shownPairs are the labelled values of the page from some sources, those among
// the elements if there are any.
func (sh *shaper) shownPairs(p *prop, e *graph.Entity, among map[*html.Node]bool, sources ...graph.Source) (all []pair) {
	for i := range e.Fields {
		f := &e.Fields[i]
		sh.m.Step(1)
		if len(all) >= sh.o.MaxMembers {
			break
		}
		if !mayBePairName(f.Name) || p.is("nutrition") && among == nil && !sh.name(f.Name).Is(nutritionParts...) {
			continue
		}
		if v, ok := sh.shownValue(f, among, sources); ok {
			name := graph.Value{Text: f.Name, Element: v.Element, Source: v.Source}
			all = append(all, pair{found{e, f.Name, name}, found{e, f.Name, v}})
		}
	}
	return all
}

// shownValue is what a field says as a part of a pair: its first value that
// may be one.
func (sh *shaper) shownValue(f *graph.Field, among map[*html.Node]bool, sources []graph.Source) (graph.Value, bool) {
	for _, v := range f.Values {
		sh.m.Step(1)
		if v.Kind == graph.Thing || v.Aside || v.Of != graph.Own || v.Text == "" || len(v.Text) > maxPairValue {
			continue
		}
		if slices.Contains(sources, v.Source) && (among == nil || among[v.Element]) {
			return v, true
		}
	}
	return graph.Value{}, false
}

func mayBePairName(s string) bool {
	return len(s) <= maxPairName && strings.IndexFunc(s, unicode.IsLetter) >= 0 && !strings.HasSuffix(s, "?")
}

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
