package httpadapter

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/httpadapter/v1"
)

// Every route is below the paths that a host is told of.
func TestPathsHaveEveryRoute(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	reached := false
	for _, p := range Paths() {
		mux.HandleFunc(p, func(http.ResponseWriter, *http.Request) { reached = true })
	}
	for _, r := range v1.Routes() {
		reached = false
		mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(r.Method, strings.NewReplacer("{", "", "}", "").Replace(r.Pattern), nil))
		if !reached {
			t.Errorf("%s %s", r.Method, r.Pattern)
		}
	}
}

// host is a server that has more than the adapter.
func host(t *testing.T, mux *http.ServeMux) (base string) {
	t.Helper()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func say(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

// get returns the status and the body of a path, redirects not followed.
func get(t *testing.T, url, key string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("X-SVC-API-Key", key)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, strings.TrimSpace(string(data))
}

const noPath = `{"statusCode":404,"error":"Not Found","message":"there is no such path"}`

// A host may have routes of its own beside those of the adapter, even among
// them.
func TestAHostKeepsItsOwnRoutes(t *testing.T) {
	h, key, _, _ := wired(t, Options{Logger: slog.New(slog.DiscardHandler)})
	mux := http.NewServeMux()
	for _, p := range Paths() {
		mux.Handle(p, h)
	}
	mux.Handle("/", say("the host"))
	mux.Handle("GET /v1/orders/{id}", say("an order"))
	mux.Handle("/v1/agents/{id}/picture", say("a picture"))
	base := host(t, mux)
	for path, want := range map[string]string{
		"/": "the host", "/v3/agents": "the host", "/json": "the host", "/healthzz": "the host", "/v1/orders/7": "an order", "/v1/agents/7/picture": "a picture",
		"/healthz": `{"status":"ok"}`, "/v1/agents": `{"data":[],"limit":20,"nextCursor":null}`, "/v1/nothing": noPath, "/v1/orders": noPath,
	} {
		if _, got := get(t, base+path, key); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if status, _ := get(t, base+"/v1/nothing", ""); status != http.StatusUnauthorized {
		t.Errorf("without a key an unknown path is %d", status)
	}
}

// Under a prefix all paths are the adapter's, and all others the host's.
func TestAHostMountsTheAdapterUnderAPrefix(t *testing.T) {
	o := Options{Logger: slog.New(slog.DiscardHandler), Home: Home{Name: "A service"}}
	h, key, _, _ := wired(t, o)
	mux := http.NewServeMux()
	mux.Handle("/browser/", http.StripPrefix("/browser", h))
	mux.Handle("/v1/", say("the host's own v1"))
	mux.Handle("/", say("the host"))
	base := host(t, mux)
	for path, want := range map[string]string{
		"/": "the host", "/v1/agents": "the host's own v1", "/healthz": "the host",
		"/browser/healthz": `{"status":"ok"}`, "/browser/v1/agents": `{"data":[],"limit":20,"nextCursor":null}`, "/browser/nothing": noPath, "/browser/browser/healthz": noPath,
		"/browser/": `{"name":"A service","version":"","openapi":"` + base + `/browser/v1/openapi.json","health":"` + base + `/browser/healthz","docs":"https://github.com/drover-go/drover/tree/main/docs","keyHeaders":["X-SVC-API-Key","X-BB-API-Key"]}`,
	} {
		if _, got := get(t, base+path, key); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if _, document := get(t, base+"/browser/v1/openapi.json", ""); !strings.Contains(document, `"url": "/browser"`) {
		t.Errorf("the document is of another server: %.300s", document)
	}
	if _, document := get(t, host(t, muxOf("/", h))+"/v1/openapi.json", ""); !strings.Contains(document, `"url": "/"`) {
		t.Errorf("without a prefix the document is of another server: %.300s", document)
	}
}

func muxOf(pattern string, h http.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle(pattern, h)
	return mux
}
