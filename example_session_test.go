package drover_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/runs/sessions"
)

// A session is a browser for any client of the DevTools protocol. Here chromedp
// signs in to the little shop.
func Example_session() {
	site := httptest.NewServer(demosite.New())
	defer site.Close()
	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, AllowPrefixes: loopback})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	s, err := d.Sessions.Create(ctx, sessions.Create{KeepAlive: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := signIn(ctx, s.ConnectURL, site.URL); err != nil {
		log.Fatal(err)
	}
	if s, err = d.Sessions.Release(ctx, s.ID); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Status)
	// Output:
	// Catalogue: 8 products
	// COMPLETED
}

func signIn(ctx context.Context, connectURL, shop string) error {
	ctx, disconnect := remote.NewAllocator(ctx, connectURL, remote.NoModifyURL)
	defer disconnect()
	ctx, closeTab := chromedp.NewContext(ctx)
	defer closeTab()
	err := chromedp.Do(ctx,
		chromedp.Navigate(shop+"/login"),
		chromedp.SendKeys(chromedp.ID("email"), demosite.Email),
		chromedp.SendKeys(chromedp.ID("password"), demosite.Password),
		chromedp.Click(chromedp.CSS("form[action='/login'] button")),
		chromedp.WaitVisible(chromedp.CSS("#rows a")),
	)
	if err != nil {
		return err
	}
	heading, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("h1")))
	if err != nil {
		return err
	}
	count, err := chromedp.Run(ctx, chromedp.Text(chromedp.ID("count")))
	fmt.Printf("%s: %s\n", heading, count)
	return err
}
