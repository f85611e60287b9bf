package graph

import "testing"

func TestDump(t *testing.T) {
	offer := &Entity{Source: JSONLD, Place: "/offers"}
	offer.Add("price", Value{Kind: Number, Text: "12"}, Value{Text: "12 €", Source: Label, Aside: true})
	product := &Entity{Source: JSONLD, Types: []string{"Product"}, ID: "https://example.com/"}
	product.Add("offers", Value{Kind: Thing, Entity: offer, Shown: "cheap"})
	product.Add("url", Value{Kind: URL, Text: "https://example.com/", Shown: "here"})
	offer.Add("of", Value{Kind: Thing, Entity: product})
	const want = `json-ld Product <https://example.com/>
  offers:
    - shown "cheap"
    json-ld at /offers
      price:
        number "12"
        "12 €" (label) aside
      of:
        json-ld Product <https://example.com/> (again)
  url: url "https://example.com/" shown "here"
`
	if got := Dump(product); got != want {
		t.Errorf("got\n%s", got)
	}
}
