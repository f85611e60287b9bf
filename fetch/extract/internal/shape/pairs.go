package shape

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/names"
)

// pair is a name that a page has for something of its thing, with the value:
// "Width", "10 cm". What a schema asks for as "specs" are all of them.
type pair struct{ name, value found }

// wantsPairs reports whether a property asks for what a page says of its thing
// under names of its own.
func wantsPairs(p *prop) bool { return p.is("additionalProperty", "nutrition") }

// pairs returns what a page says of its thing in so many words: for machines as
// a list of names and values, else in its tables and definition lists, those
// under a heading of the property's name if there are any.
func (sh *shaper) pairs(p *prop, s scope) []pair {
	for _, c := range sh.search(p, s) {
		if c.entity.Source <= graph.State {
			if all := sh.declaredPairs(c.field.Values); len(all) > 0 {
				return all
			}
		}
	}
	e := sh.things.document
	if s.depth > 1 || e == nil {
		return nil
	}
	under := sh.under(p, e)
	all := sh.shownPairs(p, e, under, false)
	if len(all) == 0 {
		all = sh.shownPairs(p, e, under, true)
	}
	if len(all) == 0 {
		all = sh.shownPairs(p, e, nil, false)
	}
	return all
}

// declaredPairs reads a list of things with a name and a value, such as the
// PropertyValues of schema.org.
func (sh *shaper) declaredPairs(values []graph.Value) (all []pair) {
	for _, v := range values {
		sh.m.Step(1)
		if v.Kind != graph.Thing || v.Entity == nil || len(all) >= sh.o.MaxMembers {
			continue
		}
		name, value := said(v.Entity, "name", "key", "label", "propertyID", "title"), said(v.Entity, "value", "text", "description")
		if name.entity != nil && value.entity != nil {
			value.value = withUnit(v.Entity, value.value)
			all = append(all, pair{name, value})
		}
	}
	return all
}

// membersOf are what a thing says under its own names.
func (sh *shaper) membersOf(e *graph.Entity) (all []pair) {
	for _, f := range e.Fields[:min(len(e.Fields), sh.o.MaxMembers)] {
		sh.m.Step(1)
		if !strings.HasPrefix(f.Name, "@") {
			all = append(all, pair{found{e, f.Name, graph.Value{Text: f.Name}}, found{e, f.Name, f.Values[0]}})
		}
	}
	return all
}

// withUnit puts the unit behind a number that has one beside it.
func withUnit(e *graph.Entity, v graph.Value) graph.Value {
	if v.Kind == graph.Thing || v.Text == "" || strings.Trim(v.Text, "0123456789.,- ") != "" {
		return v
	}
	unit := cmp.Or(said(e, "unitText").value.Text, unitSymbols()[said(e, "unitCode").value.Text])
	if unit != "" {
		v.Kind, v.Text = graph.Text, v.Text+" "+unit
	}
	return v
}

// unitSymbols are the signs for the codes of UN/CEFACT that pages use.
var unitSymbols = lexicon.ByWord(files, "symbols")

// under returns the elements that stand under the headings of a property's name.
func (sh *shaper) under(p *prop, e *graph.Entity) map[*html.Node]bool {
	in := map[*html.Node]bool{}
	for _, v := range e.Get("sections") {
		sh.m.Step(1)
		if h := v.Element; h != nil && !in[h] && sh.name(v.Shown).Is(p.concepts[0]) {
			sh.section(h, in)
		}
	}
	return in
}

// section adds the elements from a heading to the next one that is not below it.
func (sh *shaper) section(h *html.Node, in map[*html.Node]bool) {
	isHead := func(n *html.Node) bool { return tree.Is(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) }
	in[h] = true
	for n := page.After(h, nil); n != nil && !(isHead(n) && (!isHead(h) || n.Data <= h.Data)); {
		sh.m.Step(1)
		in[n] = true
		if n.FirstChild != nil {
			n = n.FirstChild
		} else {
			n = page.After(n, nil)
		}
	}
}

// maxPairValue is how long the value of a pair may be, in bytes.
const maxPairValue = 1000

// shownPairs are the rows of tables and the definitions of the page, or its other
// labelled values; those among the elements, where there are some.
func (sh *shaper) shownPairs(p *prop, e *graph.Entity, among map[*html.Node]bool, labels bool) (all []pair) {
	for _, f := range e.Fields {
		sh.m.Step(1 + len(f.Values))
		if len(all) >= sh.o.MaxMembers {
			break
		}
		if len(f.Name) > maxSaid || !strings.ContainsFunc(f.Name, unicode.IsLetter) || p.is("nutrition") && among == nil && !sh.name(f.Name).Is(sets()["nutrition"]...) {
			continue
		}
		i := slices.IndexFunc(f.Values, func(v graph.Value) bool {
			is := v.Source == graph.Label && labels || (v.Source == graph.Table || v.Source == graph.Definition) && !labels
			return is && v.Kind != graph.Thing && !v.Aside && v.Of == graph.Own && v.Text != "" && len(v.Text) <= maxPairValue && (among == nil || among[v.Element])
		})
		if i >= 0 {
			name := graph.Value{Text: f.Name, Element: f.Values[i].Element, Source: f.Values[i].Source}
			all = append(all, pair{found{e, f.Name, name}, found{e, f.Name, f.Values[i]}})
		}
	}
	return all
}

// addPairs adds to an object the pairs that its schema has a place for: under
// the names of its properties, or under those of the page.
func (sh *shaper) addPairs(n *node, v *view, pairs []pair) *node {
	if n == nil {
		n = &node{kind: object, order: v.names}
	}
	for _, pr := range pairs {
		name := strings.TrimSpace(pr.name.value.Text)
		own, kind := sh.memberFor(v, name)
		if kind == nil || n.member(own.name) != nil {
			continue
		}
		if sub := sh.scalar(own, kind, pr.value, 0); sub != nil {
			n.add(own.name, sub)
		}
	}
	if len(n.members) == 0 {
		return nil
	}
	return n
}

var anything = view{View: anyView}

// memberFor returns the property of a schema for a name and what it says of it,
// nil where such a member may not be there.
func (sh *shaper) memberFor(v *view, name string) (*prop, *view) {
	for _, own := range v.props {
		if own.name == name || sh.score(own, name) >= names.Kind {
			return own, sh.view(own.sub)
		}
	}
	own := &prop{name: name, key: sh.name(name), sub: v.outline}
	sh.m.Step(1 + len(v.Patterns))
	for _, pattern := range v.Patterns {
		if pattern.Match(name) {
			return own, sh.view(pattern.Schema)
		}
	}
	switch {
	case v.Closed || len(v.props) > 0 && v.Additional == nil:
		return own, nil
	case v.Additional != nil:
		return own, sh.view(v.Additional)
	}
	return own, &anything
}

// listOfPairs makes a list of names and values, where the items of an array are
// to be that, in this order or the value first; nil for others.
func (sh *shaper) listOfPairs(p *prop, v *view, s scope) *node {
	if !wantsPairs(p) || v.Items == nil {
		return nil
	}
	items := sh.view(v.Items)
	if len(items.props) != 2 {
		return nil
	}
	l := sh.newList(p, v)
	for _, pr := range sh.pairs(p, s) {
		parts := []found{pr.name, pr.value}
		if items.props[0].key.Key == "value" {
			slices.Reverse(parts)
		}
		n := &node{kind: object, order: items.names}
		for i, member := range items.props {
			plain := &prop{name: member.name, key: member.key, sub: member.sub}
			if sub := sh.scalar(plain, sh.view(member.sub), parts[i], 0); sub != nil {
				n.add(member.name, sub)
			}
		}
		if len(n.members) == 2 && !l.full() && sh.passes(v.Items, n) {
			l.node.push(n)
		}
	}
	return l.result()
}
