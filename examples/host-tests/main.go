// Host-tests is a program with tests: main_test.go opens a Drover in memory, serves a
// little shop to it, and puts the clock forward. The program answers what a product costs.
//
//	go test ./examples/host-tests
//	go run ./examples/host-tests 127.0.0.1:8081 https://shop.example
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/fetch"
)

// Product is what is known of one.
type Product struct {
	Name  string  `json:"name"`
	Price float64 `json:"price"`
}

// prices answers GET /prices/{slug} with what the shop's page of the product says.
func prices(d *drover.Drover, shop string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /prices/{slug}", func(w http.ResponseWriter, r *http.Request) {
		page, err := d.Fetch.Get(r.Context(), shop+"/products/"+r.PathValue("slug"), fetch.Options{Format: fetch.JSON, Schema: drover.SchemaFor[Product]()})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		product, err := fetch.Decode[Product](page)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(product)
	})
	return mux
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: host-tests HOST:PORT SHOP")
	}
	d, err := drover.Open(context.Background(), drover.Options{})
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(os.Args[1], prices(d, os.Args[2])))
}
