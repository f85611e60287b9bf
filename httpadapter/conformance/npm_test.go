package conformance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestPublicClient has the public client of the hosted service, unmodified, go
// through agents, runs, fetch and downloads. What it is made of stands in npm/.
func TestPublicClient(t *testing.T) {
	dir := installed(t)
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
	if err != nil || !strings.HasPrefix(string(out), "all 26 steps passed") {
		t.Fatalf("%v\n%s", err, out)
	}
	// The client repeats a 409 unless it is told that this is of no use.
	if stops.Load() != 2 {
		t.Errorf("it asked %d times to stop, want 2", stops.Load())
	}
}

// installed returns a directory with the client and what it needs. It is kept
// between runs and named by its contents.
func installed(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED, THIS TEST NEEDS NODE AND NPM: %v", err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "drover-test-npm", contents(t))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	install(t, dir)
	return dir
}

// install lets a half-made directory never have the name of a whole one.
func install(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, os.DirFS("npm")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci")
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, THIS TEST NEEDS PACKAGES THAT NPM CANNOT GET HERE: %v\n%s", err, out)
	}
	if err := os.Rename(work, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
}

// contents is a name for what stands in npm/.
func contents(t *testing.T) string {
	t.Helper()
	var all bytes.Buffer
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc", "client.mjs"} {
		data, err := os.ReadFile(filepath.Join("npm", name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	sum := sha256.Sum256(all.Bytes())
	return hex.EncodeToString(sum[:8])
}
