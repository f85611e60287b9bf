package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/internal/telemetry/telemetrytest"
)

// scrape asks a server for its metrics.
func scrape(t *testing.T, url, token, host string) (int, telemetrytest.Values) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Host = host
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return res.StatusCode, nil
	}
	return res.StatusCode, telemetrytest.Parse(t, res.Body)
}

// metricsURL is where a server says that its metrics are.
func (s *server) metricsURL() string {
	s.t.Helper()
	for {
		if url, ok := strings.CutPrefix(s.line(), "Metrics are at "); ok {
			return url
		}
	}
}

func TestServeHasMetricsOnAListenerOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := startServer(t, nil, "--data", t.TempDir(), "--metrics-addr", "127.0.0.1:0")
	at := s.metricsURL()
	for range 2 { // on one connection: when the second is answered the first has been counted
		s.get("/v1/agents", "nobody's")
	}
	code, got := scrape(t, at, "", "")
	if code != http.StatusOK || got["process_open_fds"] < 5 {
		t.Error(code, got)
	}
	if n := got[`drover_http_requests_total{interface="v1",method="GET",route="/v1/agents",status="4xx"}`]; n < 1 {
		t.Error(n, "requests are counted")
	}
	for _, host := range []string{"attacker.example", "attacker.example:80", "127.0.0.1.attacker.example", "10.0.0.1"} {
		if code, _ := scrape(t, at, "", host); code != http.StatusMisdirectedRequest {
			t.Error(host, code)
		}
	}
	for _, url := range []string{s.base + "/metrics", strings.TrimSuffix(at, "/metrics") + "/v1/agents"} {
		if code, _ := scrape(t, url, "", ""); code != http.StatusNotFound {
			t.Error(url, code)
		}
	}
	if code, _ := s.stop(syscall.SIGTERM); code != 0 {
		t.Errorf("exit status %d\n%s", code, s.log)
	}
}

func TestServeHasMetricsBehindAToken(t *testing.T) {
	t.Parallel()
	const token = "a token with 16 characters, and more"
	shared := startServer(t, []string{"DROVER_METRICS_TOKEN=" + token}, "--data", t.TempDir())
	own := startServer(t, []string{"DROVER_METRICS_TOKEN=" + token}, "--data", t.TempDir(), "--metrics-addr", "127.0.0.1:0")
	at := own.metricsURL()
	for _, url := range []string{shared.base + "/metrics", at} {
		if code, _ := scrape(t, url, "", ""); code != http.StatusUnauthorized {
			t.Error(url, code)
		}
		if code, got := scrape(t, url, token, "metrics.example"); code != http.StatusOK || got["go_goroutines"] < 2 {
			t.Error(url, code, got)
		}
	}
	if code, _ := scrape(t, own.base+"/metrics", token, ""); code != http.StatusNotFound {
		t.Error("they are on the listener of everybody, too", code)
	}
	for _, s := range []*server{shared, own} {
		if strings.Contains(s.log.String(), token) {
			t.Error("the token is in the log")
		}
	}
}

func TestMetricsForEverybodyAreRefused(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef"
	for name, c := range map[string]struct {
		metricsFlags
		want string
	}{
		"nothing":           {metricsFlags{}, ""},
		"loopback":          {metricsFlags{MetricsAddr: "127.0.0.1:9090"}, ""},
		"loopback, 6":       {metricsFlags{MetricsAddr: "[::1]:9090"}, ""},
		"its name":          {metricsFlags{MetricsAddr: "localhost:9090"}, ""},
		"all":               {metricsFlags{MetricsAddr: ":9090"}, "must be set"},
		"all, 4":            {metricsFlags{MetricsAddr: "0.0.0.0:9090"}, "must be set"},
		"a name":            {metricsFlags{MetricsAddr: "localhost.example:9090"}, "must be set"},
		"all, with a token": {metricsFlags{MetricsAddr: ":9090", MetricsToken: token}, ""},
		"no port":           {metricsFlags{MetricsAddr: "127.0.0.1"}, "HOST:PORT"},
		"a short token":     {metricsFlags{MetricsToken: token[1:]}, "at least 16"},
	} {
		err := c.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
