package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
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
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("thanks"))
	}))
	t.Cleanup(receiver.Close)
	w.words["<receiver>"] = receiver.URL
	return w
}

// TestPublicClientWebhooks has the public client keep webhooks. What their receiver gets is
// verified by a library for Standard Webhooks that knows nothing of either.
func TestPublicClientWebhooks(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm-webhooks")
	greet := functions.Func("greet", func(_ context.Context, inv *functions.Invocation) (any, error) {
		return map[string]json.RawMessage{"of": inv.Params}, nil
	}, functions.FuncOptions{})
	fail := functions.Func("fail", func(context.Context, *functions.Invocation) (any, error) { return nil, errors.New("out of stock") }, functions.FuncOptions{})
	w := withSite(t, config{browser: chrometest.Provider(t), realTime: true, workers: drover.WorkersAlways, more: func(o *drover.Options) {
		o.WebhookLimits.AllowHTTP = true
		o.Functions = []functions.Definition{greet, fail}
	}})
	id := func(name string) string { return must(w.Functions.Get(w.asDefault(t), name))(t).ID }
	out := node(t, dir, "webhooks.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"],
		"GREET="+id("greet"), "FAIL="+id("fail"), "SITE="+w.words["<site>"])
	if !strings.HasPrefix(out, "all 14 steps passed") {
		t.Error(out)
	}
}
