package conformance

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// TestPublicClientRoutes has the public client look at its project, at what it
// has used, and at the films of a session with two pages, and go through the
// proxy of the place that it asks for, in Chromium.
func TestPublicClientRoutes(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	chrometest.RequireChromium(t)
	berlin, york := egresstest.Start(t, "http", "me", "right"), egresstest.Start(t, "http", "me", "right")
	w := build(t, config{realTime: true, onDisk: true, proxies: []string{
		berlin.URL + "#country=DE&city=Berlin", york.URL + "#country=US&state=NY&city=New York",
	}})
	out := node(t, dir, "routes.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "OTHER_KEY="+w.words["<other-key>"], "SITE="+clientSite(t))
	if !strings.HasPrefix(out, "all 13 steps passed") {
		t.Error(out)
	}
	if len(berlin.Asked()) > 0 || len(york.Asked()) == 0 {
		t.Errorf("the proxy in Berlin was asked for %q, that in New York for %q", berlin.Asked(), york.Asked())
	}
}
