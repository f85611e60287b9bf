package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// hangingSite has a page that does not come; held gets a value for each request.
func hangingSite(t *testing.T) (url string, held chan string) {
	t.Helper()
	held = make(chan string, 8)
	over := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held <- r.URL.Path
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(over); srv.Close() })
	return srv.URL, held
}

// made is what a POST has made.
func (s *server) made(path, body string) (all map[string]any) {
	s.t.Helper()
	status, answer := s.post(path, "k", body)
	if err := json.Unmarshal([]byte(answer), &all); status >= 300 || err != nil {
		s.t.Fatalf("%s: %d %s", path, status, answer)
	}
	return all
}

// terminated is how long the process takes to end after SIGTERM.
func (s *server) terminated(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.cmd.Wait()
	return time.Since(began)
}

// fetchUntilCut fetches a page that does not come. It is told so, or cut off.
func (s *server) fetchUntilCut(url string) {
	req, _ := http.NewRequest("POST", s.base+"/v1/fetch", strings.NewReader(`{"url": "`+url+`/fetch"}`))
	req.Header.Set("X-SVC-API-Key", "k")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode < 500 {
		s.t.Errorf("the fetch: %d", resp.StatusCode)
	}
}

// Whatever waits, the process ends within its time, and what was cut says why.
func TestServeEndsInTimeWhateverWaits(t *testing.T) {
	testlevel.Long(t, "it waits for limits")
	chrometest.RequireChromium(t)
	const within = 8 * time.Second
	url, held := hangingSite(t)
	dir := t.TempDir()
	args := []string{"--data", dir, "--allow-private-networks", "--shutdown-time", within.String()}
	s := startServer(t, []string{keyVariable + "=k"}, args...)

	run := s.made("/v1/agents/runs", `{"task": "Go to `+url+`/run"}`)["runId"].(string)
	session := s.made("/v1/sessions", `{"keepAlive": true}`)
	client, _, err := websocket.Dial(t.Context(), session["connectUrl"].(string), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseNow()
	var waiting sync.WaitGroup
	waiting.Go(func() { s.fetchUntilCut(url) })
	waiting.Go(func() { client.Read(t.Context()) })
	for range 2 {
		<-held
	}
	if took := s.terminated(t); took > within+testlevel.Loaded(2*time.Second) {
		t.Errorf("it took %v\n%s", took, s.log)
	}
	waiting.Wait()

	again := startServer(t, []string{keyVariable + "=k"}, args...)
	if _, body := again.get("/v1/agents/runs/"+run, "k"); !strings.Contains(body, "RUNNER_SHUTDOWN") {
		t.Errorf("the run: %s", body)
	}
	if _, body := again.get("/v1/sessions/"+session["id"].(string), "k"); !strings.Contains(body, "SESSION_SHUTDOWN") && !strings.Contains(body, `"ERROR"`) {
		t.Errorf("the session: %s", body)
	}
}

// A second signal does not wait.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	url, held := hangingSite(t)
	s := startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:", "--allow-private-networks", "--shutdown-time", "10m")
	var waiting sync.WaitGroup
	waiting.Go(func() { s.fetchUntilCut(url) })
	<-held
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(s.log.String(), "closing") {
	}
	ended := make(chan struct{})
	go func() { s.cmd.Wait(); close(ended) }()
	again := time.NewTicker(20 * time.Millisecond) // the first that comes after the handler has gone
	defer again.Stop()
	for waits := true; waits; {
		select {
		case <-ended:
			waits = false
		case <-again.C:
			s.cmd.Process.Signal(syscall.SIGINT)
		}
	}
	if status := s.cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGINT {
		t.Errorf("it ended with %v\n%s", status, s.log)
	}
	waiting.Wait()
}

// What only waits does not hold the end up: who waits for a session to be created
// hears at once that there will be none, clients and viewers that theirs has ended.
func TestWhoWaitsDoesNotHoldTheEndUp(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	s := startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:", "--max-sessions", "1", "--shutdown-time", "10m")
	session := s.made("/v1/sessions", `{"keepAlive": true}`)
	_, debug := s.get("/v1/sessions/"+session["id"].(string)+"/debug", "k")
	var links struct{ DebuggerURL string }
	if err := json.Unmarshal([]byte(debug), &links); err != nil {
		t.Fatalf("%s: %v", debug, err)
	}
	var waiting sync.WaitGroup
	for _, address := range []string{session["connectUrl"].(string), strings.Replace("ws"+strings.TrimPrefix(links.DebuggerURL, "http"), "/live?", "/live/socket?", 1)} {
		conn, _, err := websocket.Dial(t.Context(), address, nil)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetReadLimit(-1)
		waiting.Go(func() {
			for err = nil; err == nil; _, _, err = conn.Read(t.Context()) {
			}
			if websocket.CloseStatus(err) != websocket.StatusGoingAway {
				t.Errorf("%s: %v", address, err)
			}
		})
	}
	waiting.Go(func() {
		if status, answer := s.post("/v1/sessions", "k", `{}`); status != http.StatusServiceUnavailable || !strings.Contains(answer, "closing") {
			t.Errorf("who waits for a place: %d %s", status, answer)
		}
	})
	for pending := ""; !strings.Contains(pending, "PENDING"); {
		_, pending = s.get("/v1/sessions?status=PENDING", "k")
	}
	if took := s.terminated(t); took > 20*time.Second { // a place is waited for 30 s, the end would be 10 minutes
		t.Errorf("it took %v\n%s", took, s.log)
	}
	waiting.Wait()
}
