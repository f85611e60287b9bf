package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Who opens the address of the service learns what it is, and nothing that only
// the holder of a key may know.
func TestTheAddressSaysWhatItIs(t *testing.T) {
	t.Parallel()
	s := startServer(t, []string{keyVariable + "=a-secret-key"}, "--data", ":memory:")
	ask := func(method, path, accept string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequest(method, s.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", accept)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || strings.Contains(string(body), "a-secret-key") {
			t.Errorf("%s %s: %v %s", method, path, err, body)
		}
		return resp, string(body)
	}

	resp, body := ask("GET", "/", "*/*")
	var got struct {
		Name, Version, OpenAPI, Health, Docs string
		KeyHeaders                           []string
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %v %s", resp.StatusCode, err, body)
	}
	if got.Name != "Drover" || got.Version != version() || len(got.KeyHeaders) != 2 {
		t.Errorf("%+v", got)
	}
	for _, url := range []string{got.OpenAPI, got.Health} {
		path, ok := strings.CutPrefix(url, s.base)
		if resp, _ := ask("GET", path, "*/*"); !ok || resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", url, resp.StatusCode)
		}
	}

	resp, body = ask("GET", "/", "text/html,application/xhtml+xml,*/*;q=0.8")
	if kind := resp.Header.Get("Content-Type"); kind != "text/html; charset=utf-8" || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%s, %v", kind, resp.Header)
	}
	for _, want := range []string{"<h1>Drover</h1>", version(), got.OpenAPI, got.Docs, "X-SVC-API-Key"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q:\n%s", want, body)
		}
	}

	for call, want := range map[string]int{"HEAD /": 200, "POST /": 405, "GET /favicon.ico": 404, "GET /v1/agents": 401} {
		method, path, _ := strings.Cut(call, " ")
		if resp, _ := ask(method, path, "text/html"); resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", call, resp.StatusCode, want)
		}
	}
}
