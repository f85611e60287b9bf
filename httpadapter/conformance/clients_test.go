package conformance

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
)

// TestClients has unmodified clients for browsers drive sessions of a whole
// service: with its own browser, files on disk, and over a socket.
func TestClients(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "thirteen steps of three libraries in browsers")
	dir := npmtest.Dir(t, "npm")
	w, address := wholeService(t)
	out := node(t, dir, "clients.mjs", "BASE_URL=http://"+address, "API_KEY="+w.words["<key>"], "SITE="+clientSite(t))
	if !strings.HasPrefix(out, "all 13 steps passed") {
		t.Error(out)
	}
}

// TestStagehand does so with the hosted service's library for automation,
// which speaks the browser's protocol by itself. It needs no model for this.
func TestStagehand(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "the library starts slowly and looks at whole pages")
	dir := npmtest.Dir(t, "npm-stagehand")
	w, address := wholeService(t)
	s := must(w.Sessions.Create(w.asDefault(t), sessions.Create{}))(t)
	out := node(t, dir, "stagehand.mjs", "SITE="+clientSite(t), "CONNECT_URL="+"ws://"+address+sessions.ConnectPath(s.ID)+"?"+sessions.KeyParameter+"="+s.SigningKey)
	if !strings.Contains(out, "all steps passed") {
		t.Error(out)
	}
}

func wholeService(t *testing.T) (w *world, address string) {
	t.Helper()
	return serveWhole(t, config{})
}

func serveWhole(t *testing.T, c config) (w *world, address string) {
	t.Helper()
	chrometest.RequireChromium(t)
	c.realTime, c.workers, c.onDisk = true, drover.WorkersAlways, true
	w = build(t, c)
	return w, serve(t, w.handler)
}

// node runs a script, which may talk to this machine only: it is told not to
// report what it does.
func node(t *testing.T, dir, script string, env ...string) string {
	t.Helper()
	return nodeOf(t, "node", dir, script, env...)
}

// nodeOf is node with a Node.js of its own.
func nodeOf(t *testing.T, node, dir, script string, env ...string) string {
	t.Helper()
	return runIn(t, dir, env, node, script)
}

// runIn runs a command in a directory and returns what it says.
func runIn(t *testing.T, dir string, env []string, command ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "DO_NOT_TRACK=1"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// clientSite is what the scripts visit. Whoever orders waits for /let-go.
func clientSite(t *testing.T) string {
	t.Helper()
	free := make(chan struct{})
	letGo := sync.OnceFunc(func() { close(free) })
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", page("text/html", clientPage))
	mux.HandleFunc("/form", page("text/html", form))
	mux.HandleFunc("/table.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Content-Disposition", "attachment")
		_, _ = io.WriteString(w, "a,b\n1,2\n")
	})
	mux.HandleFunc("/let-go", func(http.ResponseWriter, *http.Request) { letGo() })
	mux.HandleFunc("/ordered", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-free:
			ordered(w, r)
		case <-r.Context().Done():
		}
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL
}

const clientPage = `<!doctype html><title>Start</title>
<input id=name><button id=greet onclick="greeting.textContent = 'Hello ' + document.querySelector('#name').value">Greet</button><p id=greeting></p>
<input type=file id=file onchange="this.files[0].text().then(t => document.title = this.files[0].name + ': ' + t)">
<a id=get href=/table.csv>Get</a>
<a id=data href="data:text/plain,made%20by%20the%20page" download=data.txt>Data</a>`
