package conformance

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"

	"github.com/drover-go/drover/runs/sessions"
)

// TestGoClients has unmodified Go clients drive sessions of a whole service:
// over the endpoint of the sessions, and through the adapter.
func TestGoClients(t *testing.T) {
	testlevel.Long(t, "two clients of a module of their own, which is built")
	needModules(t)
	w, address := wholeService(t)
	site := goSite(t)
	for _, name := range []string{"endpoint", "adapter"} {
		for _, test := range []string{"TestChromedp", "TestRod"} {
			t.Run(name+" "+test, func(t *testing.T) {
				t.Parallel()
				s := must(w.Sessions.Create(w.asDefault(t), sessions.Create{}))(t)
				connect := s.ConnectURL
				if name == "adapter" {
					connect = sessions.ConnectURL("http://"+address, s.ID, s.SigningKey)
				}
				out := inGoClients(t, []string{"CONNECT_URL=" + connect, "SITE=" + site}, "test", "-count=1", "-v", "-run", test+"$", ".")
				if !strings.Contains(out, "--- PASS: "+test) {
					t.Error(out)
				}
			})
		}
	}
}

// needModules skips the test where the clients cannot be had.
func needModules(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "mod", "download")
	cmd.Dir = "goclients"
	if out, err := cmd.CombinedOutput(); err != nil {
		testlevel.Missing(t, "MODULES THAT GO CANNOT GET HERE: %v\n%s", err, out)
	}
}

func inGoClients(t *testing.T, env []string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = "goclients", append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// goSite is what the Go clients visit.
func goSite(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", page("text/html", `<!doctype html><title>Start</title><button id=open onclick="window.open('/second')">Open</button>`))
	mux.HandleFunc("/second", page("text/html", `<!doctype html><title>Second</title><p id=there>There</p>`))
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL
}
