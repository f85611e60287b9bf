package drover_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/fetch"
)

// A page is brought into a shape of one's own. No model is needed for that; one
// may be asked for what the schema requires and the page does not say in a form
// that can be read.
func Example_fetchJSON() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<title>Stool</title><h1>Stool</h1><p>Price: €64.50</p><p>Weight: 3500 g</p>
			<p>Ann made the first one for her grandmother.</p>`)
	}))
	defer site.Close()
	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, AllowPrefixes: loopback})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	type product struct {
		Name   string  `json:"name"`
		Price  float64 `json:"price"`
		Weight float64 `json:"weight,omitempty" jsonschema:"in kilograms"`
		Maker  string  `json:"maker"`
	}
	ask := func(_ context.Context, q fetch.Question) (json.RawMessage, error) {
		fmt.Println("asked for", q.Unsatisfied) // of a model, with q.Markdown and q.Schema
		return json.RawMessage(`{"/maker": "Ann"}`), nil
	}
	page, err := d.Fetch.Get(ctx, site.URL, fetch.Options{
		Format: fetch.JSON, Schema: drover.SchemaFor[product](), Explain: true, Extractor: ask,
	})
	if err != nil {
		log.Fatal(err)
	}
	stool, err := fetch.Decode[product](page)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stool.Name, stool.Price, stool.Weight, stool.Maker)
	fmt.Println(page.Metadata.Title, page.Unsatisfied)
	for _, o := range page.Origins {
		fmt.Println(o)
	}
	// Output:
	// asked for [/maker]
	// Stool 64.5 3.5 Ann
	// Stool []
	// /name: document "name" at /html/body/h1: "Stool"
	// /price: label "Price" at /html/body/p[1]: "€64.50"
	// /weight: label "Weight" at /html/body/p[2]: "3500 g"
	// /maker: model
}
