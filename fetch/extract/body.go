package extract

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/shape"
)

// addBody tells the graph the text of the page's content, if a schema asks for
// it: finding it takes as long as all else.
func addBody(g *graph.Graph, s *Schema, o ShapeOptions) error {
	if o.Body == nil {
		return nil
	}
	if asks, err := shape.AsksForBody(s.compiled); err != nil || !asks {
		return err
	}
	i := slices.IndexFunc(g.Roots, func(e *graph.Entity) bool { return e.Source == graph.Document })
	if i < 0 {
		return nil // the page shows nothing
	}
	text, in, err := o.Body()
	if err != nil || text == "" {
		return err
	}
	g.Roots[i].Add(shape.Body, graph.Value{Kind: graph.Text, Text: text, Element: in})
	return nil
}
