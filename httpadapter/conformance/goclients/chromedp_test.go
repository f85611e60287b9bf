package goclients

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
)

// TestChromedp connects without NoModifyURL: chromedp asks the host for the
// address of the browser.
func TestChromedp(t *testing.T) {
	connect, site := place(t)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	ctx, cancelAlloc := remote.NewAllocator(ctx, connect)
	defer cancelAlloc()
	ctx, cancelTab := chromedp.NewContext(ctx)
	defer cancelTab()
	do(t, ctx, chromedp.Navigate(site+"/"))
	wants(t, ctx, chromedp.Title(), "Start")

	popup := chromedp.WaitNewTarget(ctx, func(info *target.Info) bool { return strings.Contains(info.URL, "/second") })
	do(t, ctx, chromedp.Click(chromedp.ID("open")))
	second, cancelSecond := chromedp.NewContext(ctx, chromedp.WithTargetID(<-popup))
	defer cancelSecond()
	do(t, second, chromedp.WaitReady(chromedp.ID("there")))
	wants(t, second, chromedp.Title(), "Second")

	do(t, ctx, chromedp.Navigate(site+"/second"))
	do(t, ctx, chromedp.NavigateBack())
	wants(t, ctx, chromedp.Title(), "Start")
	do(t, ctx, chromedp.NavigateForward())
	wants(t, ctx, chromedp.Title(), "Second")

	wants(t, ctx, chromedp.Evaluate[string](`document.title = "Told anew"`), "Told anew")
	all, err := chromedp.Targets(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range all {
		if info.Title == "Told anew" {
			return
		}
	}
	t.Errorf("no target has the new title: %+v", all)
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, ctx context.Context, ask chromedp.Action[string], want string) {
	t.Helper()
	if got, err := chromedp.Run(ctx, ask); err != nil || got != want {
		t.Fatalf("%q, %v, want %q", got, err, want)
	}
}
