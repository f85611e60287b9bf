package shape

import (
	"slices"

	"github.com/drover-go/drover/internal/schema"
)

// Body is the name of the field in which the text of a page's content is given,
// as schema.org calls that of an article.
const Body = "articleBody"

// maxBodyDepth is how many objects and references deep the text of a page is
// asked for.
const maxBodyDepth = 6

// AsksForBody reports whether a schema has a property for the text of the page's
// content: at its root, or in an object there that is no item of a list.
func AsksForBody(s *schema.Schema) (bool, error) {
	top, err := s.Outline()
	if err != nil {
		return false, err
	}
	seen := map[*schema.Outline]bool{} // subschemas may refer to each other in a circle
	var asks func(o *schema.Outline, depth int) bool
	asks = func(o *schema.Outline, depth int) bool {
		if o == nil || depth == 0 || seen[o] {
			return false
		}
		seen[o] = true
		for _, property := range o.Properties {
			p := &prop{name: property.Name, sub: property.Schema}
			if p.read(); p.is(Body) || asks(property.Schema, depth-1) {
				return true
			}
		}
		return slices.ContainsFunc(slices.Concat([]*schema.Outline{o.Ref}, o.AllOf, o.AnyOf, o.OneOf), func(part *schema.Outline) bool {
			return asks(part, depth-1)
		})
	}
	return asks(top, maxBodyDepth), nil
}
