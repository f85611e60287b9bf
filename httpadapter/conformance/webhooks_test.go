package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
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

// told is what a receiver got.
type told struct {
	ID, Type, ResourceID string
	Data                 json.RawMessage
}

// TestWebhooksTellWhatGetAnswers holds the data of each last event against the GET of the object:
// a build that made functions, one that failed, and an invocation with a result that lies
// in no row.
func TestWebhooksTellWhatGetAnswers(t *testing.T) {
	t.Parallel()
	testlevel.External()
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	large := functions.Func("large", func(context.Context, *functions.Invocation) (any, error) {
		return map[string]string{"text": strings.Repeat("<&> ", 50_000)}, nil
	}, functions.FuncOptions{})
	w := build(t, config{realTime: true, workers: drover.WorkersAlways, more: func(o *drover.Options) {
		o.WebhookLimits.AllowHTTP, o.Functions = true, []functions.Definition{large}
	}})
	got := make(chan told, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var e told
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
			t.Error(err)
		}
		got <- e
	}))
	t.Cleanup(receiver.Close)
	ctx := w.asDefault(t)
	_, _, err := w.Webhooks.Create(ctx, webhooks.Create{Settings: webhooks.Settings{URL: receiver.URL, Events: webhooks.StandardEvents}})
	must(0, err)(t)
	publish := func(program string) string {
		return must(w.Functions.Publish(ctx, functions.Publish{Entrypoint: "index.mjs", Archive: strings.NewReader(tarOf(t, map[string]string{"index.mjs": program}))}))(t).ID
	}
	for _, c := range []struct {
		begin  func() string
		path   string
		events []string
	}{
		{func() string { return publish(saying) }, "/v1/functions/builds/", []string{"functions.builds.running", "functions.builds.completed"}},
		{func() string { return publish(`import "./nowhere.mjs"`) }, "/v1/functions/builds/", []string{"functions.builds.running", "functions.builds.failed"}},
		{func() string { return must(w.Functions.Invoke(ctx, "large", functions.Invoke{}))(t).ID }, "/v1/functions/invocations/",
			[]string{"functions.invocations.pending", "functions.invocations.running", "functions.invocations.completed"}},
	} {
		id := c.begin()
		var last told
		for _, want := range c.events {
			if last = <-got; last.Type != want || last.ResourceID != id {
				t.Errorf("%s of %s, want %s of %s", last.Type, last.ResourceID, want, id)
			}
		}
		res, body := inProcess(t, w.handler)(t, complete("GET "+c.path+id+"\nX-SVC-API-Key: "+w.words["<key>"]))
		if diff := cmp.Diff(decoded(t, body), decoded(t, last.Data)); res.StatusCode != 200 || diff != "" {
			t.Errorf("%s: %d %s", last.Type, res.StatusCode, diff)
		}
	}
}

func decoded(t *testing.T, raw []byte) (v any) {
	t.Helper()
	must(0, json.Unmarshal(raw, &v))(t)
	return v
}
