package extract

import (
	"sync"

	"github.com/drover-go/drover/fetch/extract/internal/candidates"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/shape"
)

// kindsOfLists are the concepts whose lists are told by what they look like.
var kindsOfLists = map[string]candidates.Kind{"recipeIngredient": candidates.Ingredients, "recipeInstructions": candidates.Instructions}

const (
	// lastSteps is which part of the steps for reading a page lists leave to others.
	lastSteps = 8
	// halfSteps is which part of them the metadata of a page leaves to others.
	halfSteps = 2
	// unlikely is below what probability no list of a page is what is asked for.
	unlikely = 0.05
)

// shownLists returns what finds the lists that people see on a page. The page is
// looked at when the first is asked for. One that takes too many steps has none.
func (p *Page) shownLists(o ShapeOptions) func(string) shape.Shown {
	m, model := p.page.Meter, o.model
	lists, known := &candidates.Page{}, map[string]shape.Shown{}
	read := sync.OnceFunc(func() { lists = candidates.Read(p.page.In(o.Shown)) })
	return func(concept string) shape.Shown {
		kind, ok := kindsOfLists[concept]
		if _, found := known[concept]; ok && !found {
			if model == nil {
				model = candidates.Grown()
			}
			known[concept] = shape.Shown{}
			_ = m.Run(func() error { // a context that has ended ends the filling, too
				m.Sparing(m.Limit()/lastSteps, func() {
					read()
					known[concept] = shownOf(lists.Choose(model, kind))
				})
				return nil
			})
		}
		return known[concept]
	}
}

// own returns what the metadata of the page has for a concept: when it was published, or
// who wrote it. A page that takes too many steps does not say so.
func (p *Page) own(concept string) (values []graph.Value) {
	m := p.page.Meter
	_ = m.Run(func() error { // a context that has ended ends the filling, too
		m.Sparing(m.Limit()/halfSteps, func() {
			b := p.believed()
			if concept == "author" {
				values = b.writers()
			} else if d := b.published(); d != nil {
				values = []graph.Value{d.value()}
			}
		})
		return nil
	})
	return values
}

func shownOf(c candidates.Choice) shape.Shown {
	s := shape.Shown{Label: c.Label, Unlikely: c.Probability < unlikely}
	for _, it := range c.Items {
		s.Values = append(s.Values, graph.Value{Kind: graph.Text, Source: graph.Item, Text: it.Text, Element: it.Element})
	}
	return s
}
