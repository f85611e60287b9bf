package shape

import (
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// maxInside is how many things deep a text is looked for that stands for one.
const maxInside = 4

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
			if family := p.titleOf(); family != "" && family != "Question" && !sh.name(name).IsTitle() {
				continue // what is said of it is not what it is called
			}
			if p.titleOf() == "Question" && !sh.asks(e, inner.Text) || p.titleOf() != "" && sh.isOthersTitle(p, e, &graph.Field{Name: name, Values: []graph.Value{inner}}) {
				continue
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
