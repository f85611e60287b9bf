package conformance

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/search"
)

// TestEveryMethodOfThePlatformsClient has the job platform's client call each of its
// methods once, with every option, and fails for one that is not called.
func TestEveryMethodOfThePlatformsClient(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := actorsWorld(t, config{realTime: true, adapter: httpadapter.Options{Rates: httpadapter.Rates{PerSecond: -1}}})
	out := node(t, dir, "methods.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"])
	if !strings.Contains(out, "all 13 steps passed") { // the client shows logs of runs before
		t.Error(out)
	}
}

// TestEveryMethodOfThePublicClient does so with the client of the first interface, in
// Chromium.
func TestEveryMethodOfThePublicClient(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	chrometest.RequireChromium(t)
	found := httptest.NewServer(http.HandlerFunc(engine))
	t.Cleanup(found.Close)
	by := must(search.SearXNG{URL: found.URL}.New())(t)
	w, address := serveWhole(t, config{more: func(o *drover.Options) { addShop(o); o.Search = by }})
	ctx := w.asDefault(t)
	k := must(w.Secrets.Keypair(ctx))(t)
	out := node(t, dir, "methods-v1.mjs", "BASE_URL=http://"+address, "API_KEY="+w.words["<key>"], "SITE="+clientSite(t),
		"CA_FILE="+string(egresstest.PEM(egresstest.NewAuthority(t, "Example Corp").Cert)),
		"EXTENSION="+base64.StdEncoding.EncodeToString([]byte(zipOf(t, map[string]string{"manifest.json": `{"manifest_version":3,"name":"Marks","version":"1.0"}`}))),
		"FUNCTION="+must(w.Functions.Get(ctx, "shop"))(t).ID, "KEYPAIR="+k.ID, "SEALED="+base64.StdEncoding.EncodeToString(sealFor(t, k, "horse")))
	if !strings.HasPrefix(out, "all 8 steps passed") {
		t.Error(out)
	}
}
