package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// listFields are the fields of things that are lists themselves.
var listFields = []string{"itemListElement", "steps", "step", "recipeInstructions"}

// listed returns the field with the items of a thing that is a list, nil for
// others and where an item is to have the list in it.
func (l *list) listed(f found) *graph.Field {
	e := f.value.Entity
	if f.value.Kind != graph.Thing || e == nil || e.Is("ListItem", "HowToStep") && e.Get("item") != nil {
		return nil
	}
	if vs := e.Get("offers"); len(vs) > 0 && l.p.is("offers") && l.sh.isA(e, "AggregateOffer") {
		return &graph.Field{Name: "offers", Values: vs}
	}
	for _, name := range listFields {
		if vs := e.Get(name); len(vs) > 0 && !l.wantsLists() && !(l.sh.isA(e, "HowToStep") && e.Get("text") != nil) {
			return &graph.Field{Name: name, Values: vs}
		}
	}
	return nil
}

// wantsLists reports whether the items are to have lists of their own.
func (l *list) wantsLists() bool {
	o := l.itemSchema()
	return o != nil && slices.ContainsFunc(l.sh.view(o).props, func(p *prop) bool { return p.is("itemListElement", "step", "recipeInstructions") })
}

// parts splits a text that is a list: at line ends, and where a list of words
// is wanted at commas.
func (l *list) parts(f found) []found {
	if f.value.Kind != graph.Text || !l.wantsScalars() {
		return []found{f}
	}
	split := strings.Split(f.value.Text, "\n")
	if len(split) == 1 && l.p.is("keywords", "genre", "category", "recipeCategory", "recipeCuisine", "skills", "knowsAbout", "suitableForDiet", "actor", "color", "size", "amenityFeature", "articleSection") {
		split = strings.FieldsFunc(f.value.Text, func(r rune) bool { return r == ',' || r == ';' || r == '|' })
	}
	var all []found
	for _, text := range split {
		if text = strings.TrimSpace(text); text != "" {
			part := f
			part.value.Text = text
			all = append(all, part)
		}
	}
	return all
}

func (l *list) wantsScalars() bool {
	o := l.itemSchema()
	return o == nil || l.sh.view(o).may(scalarTypes)
}
