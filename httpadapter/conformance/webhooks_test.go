package conformance

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/storage/webhooks"
)

// withWebhooks has a webhook of the job platform, and room for three more.
func withWebhooks(t *testing.T) *world {
	w := build(t, config{more: func(o *drover.Options) { o.WebhookLimits = webhooks.Limits{PerProject: 4, MaxActive: 2} }})
	platform, _, err := w.Webhooks.Create(w.asDefault(t), webhooks.Create{Settings: webhooks.Settings{
		Protocol: webhooks.Platform, URL: "https://hooks.example/platform", Events: []string{"ACTOR.RUN.SUCCEEDED"},
	}})
	w.words["<platform>"] = must(platform, err)(t).ID
	return w
}

// withReceiver delivers, to a receiver on loopback.
func withReceiver(t *testing.T) *world {
	w := build(t, config{realTime: true, workers: drover.WorkersAlways, more: func(o *drover.Options) { o.WebhookLimits.AllowHTTP = true }})
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("thanks"))
	}))
	t.Cleanup(receiver.Close)
	w.words["<receiver>"] = receiver.URL
	return w
}
