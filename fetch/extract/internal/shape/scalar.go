package shape

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// maxInside is how many things deep a text is looked for that stands for one.
const maxInside = 4

// scalar brings a value into the type that a view asks for, and returns it if
// it passes.
func (sh *shaper) scalar(p *prop, v *view, f found, depth int) *node {
	sh.m.Step(2)
	if f.value.Kind == graph.Thing {
		return sh.insideThing(p, v, f, depth)
	}
	sh.m.Read(len(f.value.Text))
	for _, made := range sh.coerce(p, v, f) {
		n := leaf(made, f)
		if v.outline == nil || sh.passes(v.outline, n) {
			return n
		}
	}
	return nil
}

// wholeText are the concepts of which an item of the visible page is all of its
// text and not its title.
var wholeText = []string{"recipeInstructions", "recipeIngredient", "step", "comment", "jobBenefits", "responsibilities", "qualifications", "skills", "text", "articleBody", "acceptedAnswer", "reviewBody"}

// insideThing looks for the text that stands for a thing.
func (sh *shaper) insideThing(p *prop, v *view, f found, depth int) *node {
	e := f.value.Entity
	if e == nil || depth >= maxInside {
		return nil
	}
	if f.value.Shown != "" && p.is(wholeText...) {
		text := f
		text.value.Kind, text.value.Text = graph.Text, strings.Join(strings.Fields(f.value.Shown), " ")
		return sh.scalar(p, v, text, depth+1)
	}
	if n := sh.salary(p, v, f); n != nil {
		return n
	}
	for _, name := range sh.standIns(p, e) {
		for _, inner := range e.Get(name) {
			if e.Source >= graph.Table && v.typed && v.types&scalarTypes&^(typeNumber|typeInteger) == 0 && strings.ContainsFunc(inner.Text, unicode.IsLetter) {
				continue // the title of an item is no number, though one may be in it
			}
			if name == "value" && v.typed && v.may(typeString) && !v.may(typeNumber) {
				inner = withUnit(e, inner)
			}
			if n := sh.scalar(p, v, found{e, name, inner}, depth+1); n != nil {
				return n
			}
		}
	}
	if sh.isA(e, "PostalAddress") || sh.isA(e, "Place") {
		return sh.address(p, v, f)
	}
	return nil
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
	return names.Texts(sh.typesOf(e))
}

// address writes a postal address in one line.
func (sh *shaper) address(p *prop, v *view, f found) *node {
	if !v.may(typeString) {
		return nil
	}
	e := f.value.Entity
	if list := e.Get("address"); len(list) > 0 && list[0].Entity != nil {
		e = list[0].Entity
	}
	var parts []string
	for _, name := range names.AddressParts {
		if vs := e.Get(name); len(vs) > 0 {
			parts = append(parts, partText(vs[0]))
		}
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return nil
	}
	text := f
	text.value.Kind, text.value.Text = graph.Text, strings.Join(parts, ", ")
	return sh.scalar(p, v, text, maxInside)
}

func partText(v graph.Value) string {
	if v.Kind != graph.Thing || v.Entity == nil {
		return v.Text
	}
	if vs := v.Entity.Get("name"); len(vs) > 0 {
		return vs[0].Text
	}
	return ""
}

// coerce returns what a value may be, the best first.
func (sh *shaper) coerce(p *prop, v *view, f found) []any {
	val := f.value
	if v.enum != nil {
		if b, ok := value.Bool(val.Text); ok && val.Kind == graph.Bool && p.is("availability") {
			val.Shown = val.Text
			if val.Text = "OutOfStock"; b {
				val.Text = "InStock"
			}
		}
		return sh.member(v.enum, val)
	}
	order := v.order
	if !v.typed {
		order = []types{typeString}
		switch val.Kind {
		case graph.Number:
			order = []types{typeNumber}
		case graph.Bool:
			order = []types{typeBoolean}
		}
	}
	var all []any
	for _, t := range order {
		all = append(all, sh.coerceTo(p, v, f, t)...)
	}
	return all
}

func (sh *shaper) coerceTo(p *prop, v *view, f found, t types) []any {
	val := f.value
	switch t {
	case typeNumber, typeInteger:
		return sh.numbers(p, f, t == typeInteger)
	case typeBoolean:
		for _, text := range []string{val.Text, val.Shown} {
			if b, ok := value.Bool(text); ok {
				return []any{b}
			}
			if b, ok := value.Remote(text); ok && p.is("jobLocationType") {
				return []any{b}
			}
		}
	case typeString:
		var all []any
		texts := sh.texts(p, v, val)
		if v.format == "" && isExact(p, f.name, sourceOf(f.entity, &f.value)) {
			texts = append(texts, plainTexts(val)...)
		}
		for _, text := range texts {
			if text = strings.TrimSpace(text); text != "" {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

// member finds the member of an enum that a value stands for.
func (sh *shaper) member(enum []any, val graph.Value) []any {
	texts := make([]string, len(enum))
	for i, m := range enum {
		switch m := m.(type) {
		case string:
			texts[i] = m
		case json.Number:
			texts[i] = string(m)
		}
	}
	sh.m.Step(len(enum))
	for _, text := range []string{val.Text, val.Shown} {
		if text == "" {
			continue
		}
		if i := value.Member(text, texts); i >= 0 {
			return []any{enum[i]}
		}
		if b, ok := value.Bool(text); ok && slices.Contains(enum, any(b)) {
			return []any{b}
		}
		if n, ok := value.Number(text, sh.o.Language); ok && slices.Contains(enum, any(json.Number(n))) {
			return []any{json.Number(n)}
		}
	}
	return nil
}

// textOfScalar returns a string or a number as text.
func textOfScalar(n *node) string {
	switch v := n.value.(type) {
	case string:
		return v
	case json.Number:
		return string(v)
	}
	return ""
}

// derive finds what is said only as a part of something else: the currency of
// a price, that a thing with a price is sold, the host of the page's address.
func (sh *shaper) derive(p *prop, v *view, s scope) *node {
	if p.is("availability") {
		return sh.offered(p, v, s)
	}
	if n := sh.host(p, v, s); n != nil {
		return n
	}
	if !p.is("priceCurrency") || s.outer != nil && !p.is("priceCurrency") {
		return nil
	}
	for _, source := range []string{"price", "baseSalary"} {
		other := &prop{name: source, key: names.Parse(source), concepts: []string{source}, vias: viasOf([]string{source}), sub: p.sub, scores: map[string]int{}}
		for _, c := range sh.search(other, s) {
			for i := range c.field.Values {
				f := found{c.entity, c.field.Name, c.field.Values[i]}
				if f.value.Kind == graph.Thing {
					continue
				}
				if n := sh.scalar(p, v, f, 0); n != nil {
					return n
				}
			}
		}
	}
	return nil
}
