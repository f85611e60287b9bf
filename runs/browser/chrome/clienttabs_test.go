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
			for _, kind := range []string{"tab", "guest", "popup", "blank"} {
				missing := []string{}
				for i := range 5 {
					page := fmt.Sprintf(`/second?%s=%d"`, kind, i)
					for _, method := range []string{"Network.requestWillBeSent", "Network.responseReceived", "Page.frameNavigated"} {
						if n := len(got.with(method, page)); n != 1 {
							missing = append(missing, fmt.Sprintf("%d %s of %s", n, method, page))
						}
					}
				}
				if len(missing) > 0 {
					t.Errorf("%d observations are missing: %s", len(missing), strings.Join(missing, ", "))
				}
			}
			if n := len(got.with("Target.targetCreated", `"popup":true`)); n != 10 {
				t.Errorf("%d popups, 10 were opened by pages", n)
			}
			if n := len(got.with("Target.targetCreated", `"popup":false`)); n != 12 {
				t.Errorf("%d tabs that are no popups, 12 were opened", n)
			}
		})
	}
}
