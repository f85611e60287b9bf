package conformance

import (
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/npmtest"
)

// TestPublicClientWebhooks has the public client of the job platform, unmodified, go
// through every operation of its clients for webhooks, with a receiver of its own.
func TestPublicClientWebhooks(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := actorsWorld(t, config{realTime: true, more: func(o *drover.Options) { o.WebhookLimits.PerProject = 10 }})
	out := node(t, dir, "webhooks.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "OTHER_KEY="+w.words["<other-key>"])
	if !strings.HasPrefix(out, "all 13 steps passed") {
		t.Error(out)
	}
}
