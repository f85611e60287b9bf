package chrome_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
)

// The first page of every tab is observed, whoever opens it and in whichever
// context: what it asked for, what it was answered, that it is shown. Nothing
// but what a page has opened is a popup.
func TestTabsOfClientsAreObserved(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"playwright", "puppeteer"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := clientSite(t)
			var got seen
			s := openWith(t, sharedProvider(t), browser.Options{Observe: got.add})
			navigate(t, s, site.URL+"/")
			client(t, "tabs.mjs", socketServer(t, s), at(site, "main.test", ""), "CLIENT="+name)
			s.Close()
			kinds := []string{"tab", "guest", "popup", "blank"}
			if name == "puppeteer" {
				kinds = kinds[:3]
			}
			for _, kind := range kinds {
				wantFirstPages(t, &got, at(site, "main.test", "/second?"+kind))
			}
			popups, tabs := 5*(len(kinds)-2), 2+10+len(kinds)-3
			if n := len(got.with("Target.targetCreated", `"popup":true`)); n != popups {
				t.Errorf("%d popups, %d were opened by pages", n, popups)
			}
			if n := len(got.with("Target.targetCreated", `"popup":false`)); n != tabs {
				t.Errorf("%d tabs that are no popups, %d were opened", n, tabs)
			}
		})
	}
}

// wantFirstPages wants to have heard of the first page of each of five tabs,
// once.
func wantFirstPages(t *testing.T, got *seen, address string) {
	t.Helper()
	var missing []string
	for i := range 5 {
		page := fmt.Sprintf(`"url":"%s=%d"`, address, i)
		for _, method := range []string{"Network.requestWillBeSent", "Network.responseReceived", "Page.frameNavigated"} {
			if n := len(got.with(method, page)); n != 1 {
				missing = append(missing, fmt.Sprintf("%d %s of %s", n, method, page))
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d observations are missing, or too many: %s", len(missing), strings.Join(missing, ", "))
	}
}
