package conformance

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/npmtest"
)

// TestPublicClientRoutes has the public client look at its project, at what it
// has used, and at the films of a session with two pages, in Chromium.
func TestPublicClientRoutes(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w, address := wholeService(t)
	out := node(t, dir, "routes.mjs", "BASE_URL=http://"+address, "API_KEY="+w.words["<key>"], "OTHER_KEY="+w.words["<other-key>"], "SITE="+clientSite(t))
	if !strings.HasPrefix(out, "all 11 steps passed") {
		t.Error(out)
	}
}
