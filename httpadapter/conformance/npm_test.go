package conformance

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
)

// TestPublicClient has the public client of the hosted service, unmodified, go
// through agents, runs, fetch and downloads. What it is made of stands in npm/.
func TestPublicClient(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := withSite(t, config{realTime: true})
	w.downloads(t)
	var stops atomic.Int32
	address := serve(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/stop") {
			stops.Add(1)
		}
		w.handler.ServeHTTP(rw, r)
	}))
	cmd := exec.CommandContext(t.Context(), "node", "client.mjs")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "BASE_URL=http://"+address, "API_KEY="+w.words["<key>"], "SITE="+w.words["<site>"], "SESSION="+w.words["<session>"])
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "all 27 steps passed") {
		t.Fatalf("%v\n%s", err, out)
	}
	// The client repeats a 409 unless it is told that this is of no use.
	if stops.Load() != 2 {
		t.Errorf("it asked %d times to stop, want 2", stops.Load())
	}
}

// TestPublicClientSessions has the same client create, look at and release
// sessions in Chromium, one with an extension.
func TestPublicClientSessions(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "the SDK in a browser")
	dir := npmtest.Dir(t, "npm")
	w := newWorld(t, "one session")
	archive := filepath.Join(t.TempDir(), "marks.zip")
	if err := os.WriteFile(archive, []byte(zipOf(t, map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"Marks","version":"1.0","background":{"service_worker":"worker.js"}}`, "worker.js": "",
	})), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "sessions.mjs")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "EXTENSION="+archive)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "all 16 steps passed") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestPublicClientContexts has it make, use and delete contexts, in Chromium.
func TestPublicClientContexts(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	dir := npmtest.Dir(t, "npm")
	w := newWorld(t, "browser")
	cmd := exec.CommandContext(t.Context(), "node", "contexts.mjs")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"])
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "all 10 steps passed") {
		t.Fatalf("%v\n%s", err, out)
	}
}
