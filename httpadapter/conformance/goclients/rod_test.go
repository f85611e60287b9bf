package goclients

import (
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// TestRod has a websocket client of its own, whose handshake is that of
// Chromium's taste.
func TestRod(t *testing.T) {
	connect, site := place(t)
	browser := rod.New().ControlURL(connect).Timeout(limit)
	if err := browser.Connect(); err != nil {
		t.Fatal(err)
	}
	events, closed := browser.Event(), make(chan struct{})
	go func() {
		defer close(closed)
		for range events {
		}
	}()
	page, err := browser.Page(proto.TargetCreateTarget{URL: site + "/"})
	if err != nil {
		t.Fatal(err)
	}
	if err := page.WaitLoad(); err != nil {
		t.Fatal(err)
	}
	if err := page.Navigate(site + "/second"); err != nil {
		t.Fatal(err)
	}
	if err := page.WaitLoad(); err != nil {
		t.Fatal(err)
	}
	title, err := page.Eval(`() => document.title`)
	if err != nil || title.Value.Str() != "Second" {
		t.Errorf("the page says %v, %v", title, err)
	}
	if info, err := page.Info(); err != nil || info.Title != "Second" || info.URL != site+"/second" {
		t.Errorf("the browser says %+v, %v", info, err)
	}
	if err := page.NavigateBack(); err != nil {
		t.Fatal(err)
	}
	if err := page.Wait(rod.Eval(`() => document.title === "Start"`)); err != nil {
		t.Error(err)
	}
	if png, err := page.Screenshot(false, nil); err != nil || len(png) < 1000 {
		t.Errorf("a picture of %d bytes, %v", len(png), err)
	}
	if err := page.Close(); err != nil {
		t.Error(err)
	}
	if err := browser.Close(); err != nil {
		t.Error(err)
	}
	// Its reader panics in a goroutine of its own over any frame that is no JSON.
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("the connection does not end")
	}
}
