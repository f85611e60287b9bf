// Fetch-markdown prints a page as markdown, without a browser and without what surrounds
// its main content:
//
//	go run ./examples/fetch-markdown https://example.com
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
	page, err := d.Fetch.Get(ctx, url, fetch.Options{Format: fetch.Markdown, OnlyMainContent: true})
	if err != nil {
		return err
	}
	fmt.Println(page.Content)
	return nil
}
