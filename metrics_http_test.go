package drover_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/telemetry/telemetrytest"
)

func TestMetricsNeedTheirToken(t *testing.T) {
	t.Parallel()
	w := watch(t)
	for name, header := range map[string][]string{
		"nothing":           nil,
		"a key":             {"X-BB-API-Key", w.key},
		"a key as a token":  {"Authorization", "Bearer " + w.key},
		"another token":     {"Authorization", "Bearer another"},
		"no scheme":         {"Authorization", metricsToken},
		"an empty token":    {"Authorization", "Bearer "},
		"basic":             {"Authorization", "Basic " + metricsToken},
		"more than a token": {"Authorization", "Bearer " + metricsToken + "x"},
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "BREW"} {
			res := w.do(method, "/metrics", "", header...)
			if body, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusUnauthorized || strings.Contains(string(body), "drover_") || res.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s, %s: %d %s", name, method, res.StatusCode, body)
			}
		}
	}
	if res := w.do("POST", "/metrics", "", "Authorization", "Bearer "+metricsToken); res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != "GET, HEAD" {
		t.Error(res.Status)
	}
	if res := w.do("HEAD", "/metrics", "", "Authorization", "bearer "+metricsToken); res.StatusCode != http.StatusOK {
		t.Error(res.Status)
	}
	w.scrape().Want(t, telemetrytest.Values{`drover_http_requests_total{interface="other",method="POST",route="/metrics",status="4xx"}`: 9})
}

func TestMetricsAreThereOnlyWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	w := watch(t)
	plain := httptest.NewServer(httpadapter.New(w.Drover.Drover, httpadapter.Options{}))
	defer plain.Close()
	own := httptest.NewServer(httpadapter.Metrics(w.Drover.Drover, httpadapter.MetricsOptions{}))
	defer own.Close()
	for _, path := range []string{"/metrics", "/metrics/", "/v1/metrics", "/v2/metrics"} {
		w.base = plain.URL
		for _, header := range [][]string{nil, {"Authorization", "Bearer "}, {"Authorization", "Bearer " + metricsToken}, {"X-BB-API-Key", w.key}} {
			res := w.do("GET", path, "", header...)
			if body, _ := io.ReadAll(res.Body); strings.Contains(string(body), "drover_") || res.StatusCode < 400 {
				t.Error(path, header, res.Status)
			}
		}
	}
	w.base = own.URL
	if got := w.scrape(); got["drover_job_workers{kind=\"agent-run\"}"] != 4 {
		t.Error(got)
	}
}

// TestHostilesAddNoSeries: nothing that a caller or a page can make up is a label.
func TestHostilesAddNoSeries(t *testing.T) {
	t.Parallel()
	w := watch(t)
	attack := func(i int) {
		name := fmt.Sprintf("%x-%d", i*7919, i)
		w.do("GET", "/"+name, "", "X-BB-API-Key", w.key)
		w.do("GET", "/v1/"+name+"/"+name, "", "X-BB-API-Key", w.key)
		w.do("GET", "/v1/agents/runs/"+name+"?"+name+"="+name, "", "X-BB-API-Key", w.key)
		w.do("X"+fmt.Sprint(i), "/v2/acts/"+name, "", "Authorization", "Bearer "+name)
		w.do("GET", "/v1/agents", "", "X-BB-API-Key", name, "Traceparent", name, "User-Agent", name, "X-Request-Id", name)
		if _, err := w.Fetch.Get(w.Context(), fmt.Sprintf("http://10.0.%d.%d/%s", i/250, i%250, name), fetch.Options{Format: fetch.Format(name)}); err == nil {
			t.Error("it was reached")
		}
		if _, err := w.Fetch.Get(w.Context(), fmt.Sprintf("http://10.0.%d.%d/%s", i/250, i%250, name), fetch.Options{}); err == nil {
			t.Error("it was reached")
		}
	}
	attack(0)
	w.scrape() // which is a request, too
	before := w.scrape().Names()
	for i := range 1000 {
		attack(i + 1)
	}
	got := w.scrape()
	if after := got.Names(); !slices.Equal(before, after) {
		t.Errorf("%d series became %d: %v", len(before), len(after), slices.DeleteFunc(after, func(name string) bool { return slices.Contains(before, name) }))
	}
	got.Want(t, telemetrytest.Values{
		`drover_http_requests_total{interface="v1",method="GET",route="",status="4xx"}`: 1001,
		`drover_egress_refused_total{reason="private"}`:                                 1001,
		`drover_fetches_total{format="unknown",outcome="invalid"}`:                      1001,
	})
}
