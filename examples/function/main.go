// Function registers a Go function that has a browser of its own, and invokes it. Over HTTP
// it is invoked as a published program is: POST /v1/functions/{functionId}/invoke.
//
//	go run ./examples/function https://example.com
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/netip"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/functions"
)

// Params are checked against the type before the function is called.
type Params struct {
	URL string `json:"url"`
}

// title is the function. Its result is kept as JSON.
var title = functions.Typed("title", func(ctx context.Context, inv *functions.Invocation, in Params) (string, error) {
	browser, err := inv.Browser(ctx) // opened now, closed with the invocation
	if err != nil {
		return "", err
	}
	page, err := browser.Navigate(ctx, in.URL)
	inv.Logger().Info("opened", "url", in.URL, "status", page.Status) // a line of the invocation's log
	return page.Title, err
}, functions.FuncOptions{})

func main() {
	flag.Parse()
	if err := run(context.Background(), flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string) error {
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, Functions: []functions.Definition{title}, AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if err != nil {
		return err
	}
	defer d.Close()
	params, err := json.Marshal(Params{URL: url})
	if err != nil {
		return err
	}
	inv, err := d.Functions.Invoke(ctx, "title", functions.Invoke{Params: params})
	if err != nil {
		return err
	}
	inv, err = d.Functions.Wait(ctx, inv.ID)
	fmt.Println(inv.Status, string(inv.Result), inv.Cause)
	return err
}
