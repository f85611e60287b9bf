package shape

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/schema"
)

// maxInside is how many things deep a text is looked for that stands for one.
const maxInside = 4

// insideThing looks for the text that stands for a thing.
func (sh *shaper) insideThing(p *prop, v *view, f found, depth int) *node {
	e := f.value.Entity
	if e == nil || depth >= maxInside {
		return nil
	}
	if f.value.Shown != "" && p.of("wholeText") {
		return sh.scalar(p, v, f.saying(strings.Join(strings.Fields(f.value.Shown), " ")), depth+1)
	}
	if n := sh.salary(p, v, f); n != nil {
		return n
	}
	if line := hoursLine(e); line != "" && v.may(typeString) && p.is("openingHours") {
		return sh.scalar(p, v, f.saying(line), maxInside)
	}
	if line, ok := ingredientLine(e); ok && p.is("recipeIngredient") {
		return sh.scalar(p, v, f.saying(line), depth+1)
	}
	for _, name := range sh.standIns(p, e) {
		for _, inner := range e.Get(name) {
			if e.Source >= graph.Table && v.typed && v.types&scalarTypes&^(typeNumber|typeInteger) == 0 && strings.ContainsFunc(inner.Text, unicode.IsLetter) {
				continue // the title of an item is no number, though one may be in it
			}
			if p.titleOf() != "" && (!sh.name(name).IsTitle() || sh.isOthersTitle(p, e, &graph.Field{Name: name, Values: []graph.Value{inner}})) {
				continue // what is said of a thing is not what it is called
			}
			if name == "value" && v.typed && v.may(typeString) && !v.may(typeNumber) {
				inner = withUnit(e, inner)
			}
			if n := sh.scalar(p, v, found{e, name, inner}, depth+1); n != nil {
				return n
			}
		}
	}
	if v.may(typeString) && sh.isA(e, "PostalAddress", "Place") {
		if line := addressLine(e); line != "" {
			return sh.scalar(p, v, f.saying(line), maxInside)
		}
	}
	return nil
}

// The members of an ingredient that is a thing, in the order in which people write them.
var ingredientParts = [][]string{
	{"amount", "quantity", "qty", "requiredQuantity"},
	{"unit", "units", "unitText", "unitName", "uom", "measure", "measurement", "unitOfMeasure"},
	{"name", "ingredient", "item", "title"},
	{"notes", "note"},
}

// ingredientLine writes an ingredient in one line that has how much of it is wanted
// beside its name.
func ingredientLine(e *graph.Entity) (line string, ok bool) {
	var parts []string
	for i, names := range ingredientParts {
		text := saidInside(e, names...)
		if text == "" && i != 1 && i != 3 {
			return "", false
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	amount, name := parts[0], strings.Join(parts[1:], " ")
	digits := strings.ContainsAny(name[:1], "0123456789½¼¾⅓⅔⅛")
	return amount + " " + name, !digits && strings.Trim(amount, "0., ") != ""
}

// inParts makes a thing of the text of an ingredient, or of a step, of which a schema wants
// an object: the amount and the unit are parted where it asks for one of them.
func (sh *shaper) inParts(o *schema.Outline, p *prop, f found) found {
	if o == nil || f.value.Kind != graph.Text || !p.is("recipeIngredient", "recipeInstructions") {
		return f
	}
	v := sh.view(o)
	if !v.may(typeObject) || v.may(scalarTypes) || len(v.props) == 0 {
		return f
	}
	e := &graph.Entity{Source: sourceOf(f.entity, &f.value), Element: f.value.Element, Place: f.value.Place}
	part := func(text string, names ...string) {
		for _, name := range names {
			if text != "" {
				e.Add(name, graph.Value{Kind: graph.Text, Source: f.value.Source, Text: text, Element: f.value.Element, Place: f.value.Place})
			}
		}
	}
	part(f.value.Text, "text", "description")
	if p.is("recipeInstructions") {
		part(f.value.Text, "instruction", "name")
	} else if sh.o.Amount != nil && slices.ContainsFunc(v.props, func(p *prop) bool { return isIn("amountOf", p.key.Key) }) {
		amount, unit, rest := sh.o.Amount(f.value.Text)
		part(rest, "name")
		part(amount, "quantity")
		part(unit, "unit")
		part(strings.TrimSpace(amount+" "+unit), "amount", "measure")
	} else {
		part(f.value.Text, "name")
	}
	f.value.Kind, f.value.Entity, f.value.Shown = graph.Thing, e, f.value.Text
	return f
}

// saidInside is the first text that a thing has under one of some names, itself or in a
// thing that has a name or a value.
func saidInside(e *graph.Entity, names ...string) string {
	for _, name := range names {
		if vs := e.Get(name); len(vs) > 0 && vs[0].Kind == graph.Thing && vs[0].Entity != nil {
			in := vs[0].Entity
			return strings.TrimSpace(said(in, "value").value.Text + " " + said(in, "unitText", "name", "abbreviation").value.Text)
		}
	}
	return strings.TrimSpace(said(e, names...).value.Text)
}

// saying returns the value as a text of its own.
func (f found) saying(text string) found {
	f.value.Kind, f.value.Text = graph.Text, text
	return f
}

// standIns are the members of a thing that may stand for it.
func (sh *shaper) standIns(p *prop, e *graph.Entity) []string {
	switch {
	case p.is("url", "mainEntityOfPage", "sameAs"):
		return []string{"url", "@id"}
	case p.is("image", "thumbnailUrl", "logo"):
		return []string{"url", "contentUrl", "thumbnailUrl", "image"}
	case p.is("address") && sh.isA(e, "Place", "Organization", "LocalBusiness"):
		return []string{"address"}
	case e.Is("ListItem"):
		return []string{"name", "item", "title"}
	}
	return names.Texts(sh.things.of(e).types)
}

// addressLine writes a postal address, or that of a place, in one line.
func addressLine(e *graph.Entity) string {
	if list := e.Get("address"); len(list) > 0 {
		e = cmp.Or(list[0].Entity, e)
	}
	var parts []string
	for _, name := range names.AddressParts {
		vs := e.Get(name)
		if len(vs) > 0 && vs[0].Entity != nil {
			vs = vs[0].Entity.Get("name")
		}
		if len(vs) > 0 && vs[0].Text != "" {
			parts = append(parts, vs[0].Text)
		}
	}
	return strings.Join(parts, ", ")
}

// hoursLine writes on which days a firm opens and closes when, as an
// OpeningHoursSpecification says it, in one line: "Monday, Tuesday 07:00-15:00".
func hoursLine(e *graph.Entity) string {
	opens, closes := said(e, "opens").value.Text, said(e, "closes").value.Text
	if opens == "" || closes == "" {
		return ""
	}
	var days []string
	for _, v := range e.Get("dayOfWeek") {
		if v.Entity != nil {
			v = said(v.Entity, "name", "@id").value
		}
		if v.Text != "" {
			days = append(days, mention.CutVocabulary(v.Text))
		}
	}
	return strings.TrimSpace(strings.Join(days, ", ") + " " + opens + "-" + closes)
}

// addUnit adds the unit of the number that an object holds, where the schema has
// a member for it: that of the text which the number was taken from, or the one
// that a thing says beside its value, as a QuantitativeValue does.
func (sh *shaper) addUnit(obj *node, v *view, f found) {
	if obj == nil {
		return
	}
	unit, ok := mention.UnitText(f.value.Text)
	if e := f.value.Entity; e == nil {
		_, number := obj.members[0].node.value.(json.Number)
		ok = ok && number
	} else if vs := e.Get("value"); len(vs) > 0 {
		f = found{e, "unitCode", withUnit(e, vs[0])}
		_, unit, ok = strings.Cut(strings.TrimPrefix(f.value.Text, vs[0].Text), " ")
	}
	f.value.Shown = ""
	for _, p := range v.props {
		if ok && isIn("unit", p.key.Key) && obj.member(p.name) == nil {
			if n := sh.scalar(&prop{name: p.name, key: p.key, sub: p.sub}, sh.view(p.sub), f.saying(unit), 0); n != nil {
				obj.add(p.name, n)
			}
		}
	}
}

// standsFor reports whether a text can be the value of a property of the thing
// that the text is in place of.
func standsFor(p *prop, v graph.Value) bool {
	if v.Kind == graph.URL && v.Shown == "" {
		return p.is("url", "image", "contentUrl")
	}
	return p.is("name", "text", "title", "ratingValue", "price") || p.key.Key == "text" || p.key.Key == "value" || p.key.Key == "label"
}
