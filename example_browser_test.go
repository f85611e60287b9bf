package drover_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/sessions"
)

// A browser in Go: a program signs in to the little shop with the verbs that agents
// have.
func Example_browser() {
	site := httptest.NewServer(demosite.New())
	defer site.Close()
	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, AllowPrefixes: loopback})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	b, err := d.Sessions.Open(ctx, sessions.Create{})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	page, err := signInByHand(ctx, b, site.URL)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Title)
	// Output: Catalogue – Drove & Daughters
}

func signInByHand(ctx context.Context, b browser.Session, shop string) (none browser.Page, err error) {
	if _, err = b.Navigate(ctx, shop+"/login"); err != nil {
		return none, err
	}
	form, err := b.Snapshot(ctx)
	if err != nil {
		return none, err
	}
	if _, err = b.Type(ctx, form.Find("textbox", "Email"), demosite.Email, browser.TypeOptions{}); err != nil {
		return none, err
	}
	if _, err = b.Type(ctx, form.Find("textbox", "Password"), demosite.Password, browser.TypeOptions{}); err != nil {
		return none, err
	}
	return b.Click(ctx, form.Find("button", "Sign in"))
}
