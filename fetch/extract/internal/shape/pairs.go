package shape

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
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
	if v.Kind == graph.Thing || v.Text == "" || strings.Trim(v.Text, "0123456789.,- ") != "" {
		return v
	}
	unit := strings.Join(textsOf(e, "unitText"), "")
	if code := textsOf(e, "unitCode"); unit == "" && len(code) > 0 {
		unit = unitSymbols[code[0]]
	}
	if unit != "" {
		v.Kind, v.Text = graph.Text, v.Text+" "+unit
	}
	return v
}

// unitSymbols are the signs for the codes of UN/CEFACT that pages use.
var unitSymbols = map[string]string{
	"GRM": "g", "KGM": "kg", "MGM": "mg", "LBR": "lb", "ONZ": "oz", "MMT": "mm", "CMT": "cm", "MTR": "m", "KMT": "km", "INH": "in", "FOT": "ft", "SMI": "mi",
	"LTR": "l", "MLT": "ml", "MTK": "m²", "FTK": "ft²", "CEL": "°C", "FAH": "°F", "WTT": "W", "KWT": "kW", "P1": "%",
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
