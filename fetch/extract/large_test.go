package extract

import (
	"encoding/json"
	"strings"
	"testing"
)

// Data within a page that is too large is left out: the answer is what the rest
// of the page says, and the schema is not to blame.
func TestEmbeddedDataThatIsTooLargeIsLeftOut(t *testing.T) {
	t.Parallel()
	const schema = `{"type": "object", "properties": {"name": {"type": "string"}, "description": {"type": "string"}, "price": {"type": "number"},
		"amount": {"type": "integer"}, "reviewCount": {"type": "integer"}, "offers": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "integer"}}}}, "date": {"type": "string", "format": "date"}}}`
	large := strings.Repeat("word ", 5<<20/5-100)
	const product = `<script type=application/ld+json>{"@type": "Product", "name": "Lamp", "offers": {"price": 12.5}}</script>`
	for name, head := range map[string]string{
		"JSON-LD":       `<script type=application/ld+json>{"@type": "Product", "name": "Lamp", "description": "` + large + `", "offers": {"price": 12.5}}</script>`,
		"as a number":   `<script type=application/ld+json>{"@type": "Product", "name": "Lamp", "amount": "` + large + `", "reviewCount": "` + large + `", "offers": {"price": 12.5}}</script>`,
		"another block": product + `<script type=application/ld+json>{"@type": "Product", "name": "` + large + `"}</script>`,
		"name and key":  product + `<script type=application/ld+json>{"@type": "Product", "` + large + `": "x"}</script>`,
		"one word":      product + `<script type=application/ld+json>{"@type": "Product", "description": "` + strings.ReplaceAll(large, " ", "s") + `"}</script>`,
		"Microdata":     product + `<div itemscope itemtype=https://schema.org/Product><p itemprop=description>` + large + `</p></div>`,
		"its attribute": product + `<div itemscope itemtype=https://schema.org/Product><meta itemprop=description content="` + large + `"></div>`,
		"meta":          product + `<meta name=description content="` + large + `"><meta property=og:description content="` + large + `">`,
		"state":         product + `<script>window.__STATE__ = {"product": {"description": "` + large + `"}}</script>`,
		"state of Next": product + `<script id=__NEXT_DATA__ type=application/json>{"product": {"description": "` + large + `"}}</script>`,
		"title":         product + `<title>` + large + `</title>`,
		"text":          product + `<p>` + large + `</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := shaped(t, `<!doctype html><title>Lamp</title>`+head+`<h1>Lamp</h1>`, schema, ShapeOptions{})
			var content struct {
				Name  string
				Price float64
			}
			if err := json.Unmarshal(got.Content, &content); err != nil || content.Name != "Lamp" || content.Price != 12.5 || len(got.Content) > 1<<20 {
				t.Errorf("%v: %.200s", err, got.Content)
			}
		})
	}
}

// Two properties that the large text would fill went beyond the size of an
// answer, and the schema was blamed.
func TestALargeTextIsNotInTheAnswerTwice(t *testing.T) {
	t.Parallel()
	const schema = `{"type": "object", "properties": {"name": {"type": "string"}, "description": {"type": "string"}, "content": {"type": "string"}, "summary": {"type": "string"}}, "required": ["name"]}`
	page := `<script type=application/ld+json>{"@type": "Product", "name": "Lamp", "description": "` + strings.Repeat("word ", 5<<20/5-100) + `"}</script><h1>Lamp</h1>`
	if got := shaped(t, page, schema, ShapeOptions{}); string(got.Content) != `{"name":"Lamp"}` {
		t.Errorf("%.200s", got.Content)
	}
}
