package conformance

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/npmtest"
)

// TestPublicClientStores has the public client of the job platform, unmodified, go
// through every operation of its clients for stores.
func TestPublicClientStores(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := build(t, config{realTime: true, adapter: httpadapter.Options{Rates: httpadapter.Rates{PerSecond: -1}}})
	out := node(t, dir, "stores.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "OTHER_KEY="+w.words["<other-key>"])
	if !strings.HasPrefix(out, "all 35 steps passed") {
		t.Error(out)
	}
}

// TestPublicClientActors has it save, read, change and delete Actors and tasks, and run
// Go Actors.
func TestPublicClientActors(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := actorsWorld(t, config{realTime: true})
	out := node(t, dir, "actors.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "OTHER_KEY="+w.words["<other-key>"])
	if !strings.Contains(out, "\nall 17 steps passed") { // the client shows logs of runs before
		t.Error(out)
	}
}

// TestPublicClientBuilds has it build Actors, look at builds, run what they have made,
// and charge.
func TestPublicClientBuilds(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := actorsWorld(t, config{realTime: true})
	out := node(t, dir, "builds.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "OTHER_KEY="+w.words["<other-key>"])
	if !strings.HasPrefix(out, "all 10 steps passed") {
		t.Error(out)
	}
}
