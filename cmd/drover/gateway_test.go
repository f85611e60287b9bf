package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// behindGateway runs commands against a server through a gateway, which sees
// each request and may refuse it.
func behindGateway(t *testing.T, refuses func(path string) bool) commandsOf {
	t.Helper()
	chrometest.RequireChromium(t)
	return throughGateway(t, refuses)
}

// throughGateway is the same for commands that need no browser.
func throughGateway(t *testing.T, refuses func(path string) bool) commandsOf {
	t.Helper()
	s := startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")
	base, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(base)
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuses(r.URL.Path) {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(gateway.Close)
	s.base = gateway.URL
	return commandsOf{t, s}
}

// A session that is open can be connected to, also where its live view cannot be
// had.
func TestCreatePrintsWhatThereIs(t *testing.T) {
	t.Parallel()
	c := behindGateway(t, func(path string) bool { return strings.HasSuffix(path, "/debug") })
	out, errs, code := c.run("sessions", "create")
	if code != 1 || !strings.Contains(out, "\nconnect  ws://") || strings.Contains(out, "live") || !strings.Contains(errs, "live view: 503") {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
	out, errs, code = c.run("sessions", "create", "--json")
	var made struct{ ConnectURL string }
	if err := json.Unmarshal([]byte(out), &made); err != nil || code != 1 || made.ConnectURL == "" || !strings.Contains(errs, "live view: 503") {
		t.Errorf("%d %v\n%s\n%s", code, err, out, errs)
	}
}

// A log that is followed is asked for now and then, not all the time.
func TestFollowingALogAsksSeldom(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []time.Time
	enough := make(chan struct{})
	c := behindGateway(t, func(path string) bool {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasSuffix(path, "/logs") {
			if asked = append(asked, time.Now()); len(asked) == 2 {
				close(enough)
			}
		}
		return false
	})
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(c.good("sessions", "create", "--json", "--keep-alive")), &made); err != nil {
		t.Fatal(err)
	}
	follow := c.command("sessions", "log", "--follow", made.ID)
	if err := follow.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { follow.Process.Kill(); follow.Wait() }()
	select {
	case <-enough:
	case <-time.After(time.Minute):
		t.Fatal("it is asked for once")
	}
	mu.Lock()
	defer mu.Unlock()
	// The requests reach the gateway later than they are sent, the first one more.
	if apart := asked[1].Sub(asked[0]); apart < followInterval*3/4 {
		t.Errorf("it is asked for again after %v", apart)
	}
}

// A time in which nothing can be closed is refused.
func TestTheShutdownTimeHasABound(t *testing.T) {
	t.Parallel()
	for _, short := range []string{"0s", "999ms", "-5s"} {
		cmd := exec.Command("drover", "serve", "--data", ":memory:", "--addr", "127.0.0.1:none", "--shutdown-time="+short)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "--shutdown-time must be at least 1s") {
			t.Errorf("%s: %v %s", short, err, out)
		}
	}
}
