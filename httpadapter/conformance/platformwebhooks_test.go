package conformance

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/storage/webhooks"
)

// withActorsAndReceiver is a world with Go Actors and a receiver of webhooks, which thanks.
func withActorsAndReceiver(t *testing.T) *world {
	w := actorsWorld(t, config{})
	receiver := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(answer, "thanks")
	}))
	t.Cleanup(receiver.Close)
	w.words["<receiver>"] = receiver.URL
	return w
}

// waitForDispatches waits until nothing is under way to receivers.
func (w *world) waitForDispatches(ctx context.Context, t testing.TB) {
	t.Helper()
	for _, d := range must(w.Webhooks.Dispatches(ctx, webhooks.Filter{Status: webhooks.Active}))(t).Items {
		must(w.Webhooks.Wait(ctx, d.ID))(t)
	}
}

// TestPlatformClientWebhooks has the public client of the job platform, unmodified, go
// through every operation of its clients for webhooks, with a receiver of its own.
func TestPlatformClientWebhooks(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := actorsWorld(t, config{realTime: true, more: func(o *drover.Options) { o.WebhookLimits.PerProject = 10 }})
	out := node(t, dir, "webhooks.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "OTHER_KEY="+w.words["<other-key>"])
	if !strings.HasPrefix(out, "all 13 steps passed") {
		t.Error(out)
	}
}
