package drover_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/demosite"
)

// A function has a browser of its own, which is opened when it asks for it. Its
// parameters are checked against the type, and its result is kept.
func Example_function() {
	site := httptest.NewServer(demosite.New())
	defer site.Close()
	type params struct {
		Path string `json:"path"`
	}
	title := functions.Typed("title", func(ctx context.Context, inv *functions.Invocation, in params) (string, error) {
		browser, err := inv.Browser(ctx)
		if err != nil {
			return "", err
		}
		page, err := browser.Navigate(ctx, site.URL+in.Path)
		inv.Logger().Info("read", "path", in.Path, "status", page.Status)
		return page.Title, err
	}, functions.FuncOptions{})

	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, AllowPrefixes: loopback, Functions: []functions.Definition{title}})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	inv, err := d.Functions.Invoke(ctx, "title", functions.Invoke{Params: []byte(`{"path": "/login"}`)})
	if err != nil {
		log.Fatal(err)
	}
	if inv, err = d.Functions.Wait(ctx, inv.ID); err != nil {
		log.Fatal(err)
	}
	session, err := d.Sessions.Get(ctx, inv.SessionID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(inv.Status, string(inv.Result), session.Status)
	logs, err := d.Functions.Logs(ctx, inv.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range logs {
		fmt.Println(entry.Message)
	}
	// Output:
	// COMPLETED "Sign in – Drove & Daughters" COMPLETED
	// level=INFO msg=read path=/login status=200
}
