package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhatPeopleAskFirst has schemas as people write them who have read little about how pages
// are filled into them.
func TestWhatPeopleAskFirst(t *testing.T) {
	const (
		item  = `<main><nav><a href=/>Home</a></nav><h1>Harbour lamp</h1><p class=price>€89.50</p><p>SKU: HL-200</p><button>Add to basket</button></main>`
		cards = `<h1>Lamps</h1><ul><li><a href=/a><b>Harbour lamp</b></a> <span class=price>€89.50</span><li><a href=/b><b>Tidal lamp</b></a> <span class=price>€19.00</span><li><a href=/c><b>Pier lamp</b></a> <span class=price>€29.00</span></ul>`
		text  = `<article><h1>Why ferries are late</h1><p>By Ann Lee, 3 May 2024</p><p>The tide is high and the <a href="https://tide.example/x">timetable</a> is not.</p><h2>The tide</h2><p>It is high.</p></article>`
		specs = `<h1>Lamp</h1><section><h2>Specifications</h2><table><tr><th>Width<td>120 mm<tr><th>Colour<td>Oak</table></section><section><h2>Delivery</h2><table><tr><th>Germany<td>3 days<tr><th>France<td>5 days</table></section>`
		link  = `<h1>Lamp</h1><table><tr><th>Manual<td><a href="/m.pdf">PDF</a><tr><th>Width<td>3 cm</table><p>Website: <a href="https://w.example/">our site</a></p>`
		named = `{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}}}`
		one   = `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"price":{"type":"number"},"sku":{"type":"string"}}}`
	)
	for _, c := range []struct{ name, page, schema, want string }{
		{"the first link is not the page's", item, `{"properties":{"name":{"type":"string"},"url":{"type":"string"},"link":{"type":"string","format":"uri"}}}`, `{"name":"Harbour lamp"}`},
		{"a product in an object", item, `{"properties":{"product":` + one + `}}`, `{"product":{"name":"Harbour lamp","price":89.5,"sku":"HL-200"}}`},
		{"an article in an object", text, `{"properties":{"article":{"type":"object","properties":{"title":{"type":"string"},"author":{"type":"string"},"datePublished":{"type":"string"}}}}}`, `{"article":{"title":"Why ferries are late","author":"Ann Lee","datePublished":"2024-05-03"}}`},
		{"a list in an object", cards, `{"properties":{"shop":{"type":"object","properties":{"products":{"type":"array","items":` + named + `}}}}}`, `{"shop":{"products":[{"name":"Harbour lamp","price":89.5},{"name":"Tidal lamp","price":19},{"name":"Pier lamp","price":29}]}}`},
		{"a list in objects", cards, `{"properties":{"data":{"type":"object","properties":{"items":{"type":"array","items":` + named + `}}}}}`, `{"data":{"items":[{"name":"Harbour lamp","price":89.5},{"name":"Tidal lamp","price":19},{"name":"Pier lamp","price":29}]}}`},
		{"no event beside an article", text, `{"properties":{"article":{"type":"object","properties":{"title":{"type":"string"}}},"event":{"type":"object","properties":{"name":{"type":"string"},"venue":{"type":"string"}}}}}`, `{}`},
		{"tables in sections", specs, `{"properties":{"name":{"type":"string"},"width":{"type":"string"},"specs":{"type":"object","additionalProperties":{"type":"string"}}}}`, `{"name":"Lamp","width":"120 mm","specs":{"Width":"120 mm","Colour":"Oak"}}`},
		{"links beside labels", link, `{"properties":{"manual":{"type":"string","format":"uri"},"website":{"type":"string","format":"uri"},"width":{"type":"string"}}}`, `{"manual":"https://example.com/m.pdf","website":"https://w.example/","width":"3 cm"}`},
		{"labels without values", `<h1>Lamp</h1><div><b>Director:</b></div><div><b>Writer:</b> Ann Lee</div><div><label>Colour:</label></div><div><button>Add to cart</button></div>`, `{"properties":{"director":{"type":"string"},"writer":{"type":"string"},"color":{"type":"string"}}}`, `{"writer":"Ann Lee"}`},
		{"nothing filled in", `<h1>Lamp</h1><p>Brand: null</p><p>Colour: N/A</p><p>SKU: undefined</p><p class=price>{{ price | currency }}</p>`, `{"properties":{"brand":{"type":"string"},"color":{"type":"string"},"sku":{"type":"string"},"price":{"type":"string"}}}`, `{}`},
		{"classes of styles", `<h1>Lamp</h1><button class="transition duration-300">Sign up</button><div class="position-relative">Menu</div>`, `{"properties":{"duration":{"type":"string"},"position":{"type":"string"}}}`, `{}`},
		{"ranks are no names", `<h1>Coins</h1><table><tr><th>#<th>Name<th>Price<tr><td>1<td>Bitcoin<td>$67,012.33<tr><td>2<td>Ether<td>$3,012.10</table>`, `{"properties":{"coins":{"type":"array","items":` + named + `}}}`, `{"coins":[{"name":"Bitcoin","price":67012.33},{"name":"Ether","price":3012.1}]}`},
		{"large amounts", `<h1>Lamps Ltd</h1><p>Revenue: $408.1B</p><p>Debt: £3 trillion</p><p>Change: $-45.20</p>`, `{"properties":{"revenue":{"type":"number"},"debt":{"type":"number"},"change":{"type":"number"}}}`, `{"revenue":408100000000,"debt":3000000000000,"change":-45.2}`},
		{"fields of programs", `<h1>Books</h1><pre><code>author: String::from("Ice"),
price: 12,</code></pre>`, `{"properties":{"author":{"type":"string"},"price":{"type":"number"}}}`, `{}`},
		{"headings", text, `{"properties":{"headings":{"type":"array","items":{"type":"string"}}}}`, `{"headings":["Why ferries are late","The tide"]}`},
		{"goods are no people", cards, `{"properties":{"people":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}`, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(shaped(t, c.page, c.schema, ShapeOptions{}).Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestSchemasThatAskForNothing are refused in words that help.
func TestSchemasThatAskForNothing(t *testing.T) {
	for raw, want := range map[string]string{
		`{"name":"string","price":"number"}`: `"name" is no keyword`,
		`{"type":"array","items":{}}`:        `"items": {"type": "array"`,
		`{}`:                                 "",
		`{"title":"Specifications"}`:         "",
		`{"additionalProperties":{}}`:        "",
		`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`: "",
	} {
		_, err := Compile([]byte(raw), CompileOptions{})
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", raw, got, want)
		}
	}
}
