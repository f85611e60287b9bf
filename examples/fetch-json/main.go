// Fetch-json reads a product off a page, in the shape of a Go type. No language model is
// asked: the page's structured data and its visible text are read.
//
//	go run ./examples/fetch-json https://shop.example/products/lamp
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/netip"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/fetch"
)

// Product is what is wanted of the page. What is not marked omitempty is required.
type Product struct {
	Name   string  `json:"name"`
	Price  float64 `json:"price"`
	Weight float64 `json:"weight,omitempty" jsonschema:"in kilograms"`
}

func main() {
	flag.Parse()
	if err := run(context.Background(), flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string) error {
	d, err := drover.Open(ctx, drover.Options{
		Data:          drover.InMemory,
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, // pages on this machine, too
	})
	if err != nil {
		return err
	}
	defer d.Close()
	page, err := d.Fetch.Get(ctx, url, fetch.Options{Format: fetch.JSON, Schema: drover.SchemaFor[Product]()})
	if err != nil {
		return err
	}
	product, err := fetch.Decode[Product](page)
	if err != nil {
		return err
	}
	fmt.Printf("%s costs %.2f and weighs %.1f kg\n", product.Name, product.Price, product.Weight)
	return nil
}
