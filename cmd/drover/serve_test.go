package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/drover-go/drover/internal/demosite"
)

// server is "drover serve" as a process of its own.
type server struct {
	t    testing.TB
	cmd  *exec.Cmd
	base string
	out  []string // lines of standard output so far
	log  *log
	rest *bufio.Reader
}

// log is what a process writes while a test reads it.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func startServer(t testing.TB, env []string, args ...string) *server {
	t.Helper()
	s := &server{t: t, log: &log{}}
	s.cmd = exec.Command("drover", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	s.cmd.Dir = t.TempDir()
	s.cmd.Env = append(os.Environ(), append([]string{keyVariable + "="}, env...)...)
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait() })
	s.rest = bufio.NewReader(out)
	s.base = strings.TrimPrefix(s.line(), "Drover listens on ")
	return s
}

func (s *server) line() string {
	s.t.Helper()
	line, err := s.rest.ReadString('\n')
	if err != nil {
		s.t.Fatalf("drover serve: %v\n%s", err, s.log)
	}
	s.out = append(s.out, line)
	return strings.TrimSuffix(line, "\n")
}

// stop sends the signal and returns the exit status and what else was printed.
func (s *server) stop(sig os.Signal) (int, string) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
	rest, _ := io.ReadAll(s.rest)
	s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode(), string(rest)
}

func (s *server) get(path, key string) (int, string) {
	s.t.Helper()
	return s.do("GET", path, key, nil)
}

func (s *server) post(path, key, body string) (int, string) {
	s.t.Helper()
	return s.do("POST", path, key, strings.NewReader(body))
}

func (s *server) do(method, path, key string, body io.Reader) (int, string) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.base+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("X-SVC-API-Key", key)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s.log)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

func TestServeMakesAKeyOnceAndItsCurlLineWorks(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl on this machine: its line is not tried")
	}
	dir := t.TempDir()
	s := startServer(t, nil, "--data", dir)
	key := regexp.MustCompile(`drover_[a-z2-7]+`).FindString(s.line())
	curl := strings.TrimPrefix(s.line(), "Try:  ")
	out, err := exec.Command("sh", "-c", curl).Output()
	var page struct{ Data []any }
	if err != nil || json.Unmarshal(out, &page) != nil || page.Data == nil {
		t.Errorf("%s: %v %s", curl, err, out)
	}
	if status, _ := s.get("/v1/agents", ""); status != http.StatusUnauthorized {
		t.Errorf("without a key: %d", status)
	}
	if status, body := s.get("/healthz", ""); status != http.StatusOK {
		t.Errorf("health: %d %s", status, body)
	}
	if strings.Contains(s.log.String(), key) {
		t.Error("the key stands in the log")
	}
	if code, _ := s.stop(syscall.SIGTERM); code != 0 {
		t.Errorf("exit status %d after SIGTERM\n%s", code, s.log)
	}

	again := startServer(t, nil, "--data", dir)
	if status, _ := again.get("/v1/agents", key); status != http.StatusOK {
		t.Errorf("the key after a restart: %d", status)
	}
	if _, rest := again.stop(os.Interrupt); strings.Contains(rest, "drover_") {
		t.Errorf("a second key was made:\n%s", rest)
	}
}

func TestServeTakesThePresetKey(t *testing.T) {
	s := startServer(t, []string{keyVariable + "=my-own-key"}, "--data", ":memory:")
	if status, _ := s.get("/v1/agents", "my-own-key"); status != http.StatusOK {
		t.Errorf("preset key: %d", status)
	}
	if status, _ := s.get("/v1/agents", "another"); status != http.StatusUnauthorized {
		t.Errorf("another key: %d", status)
	}
	code, rest := s.stop(syscall.SIGTERM)
	if code != 0 || rest != "" || strings.Contains(s.log.String(), "my-own-key") {
		t.Errorf("exit status %d, printed %q\n%s", code, rest, s.log)
	}
	if left, _ := os.ReadDir(s.cmd.Dir); len(left) != 0 {
		t.Errorf("in memory, but left: %v", left)
	}
}

func TestRevokedKeyIsRefusedByARunningServer(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, nil, "--data", dir)
	out, err := exec.Command("drover", "keys", "create", "--data", dir, "--name", "temp").Output()
	if err != nil {
		t.Fatal(err)
	}
	key := strings.TrimSpace(string(out))
	if status, _ := s.get("/v1/agents", key); status != http.StatusOK {
		t.Errorf("new key: %d", status)
	}
	list, err := exec.Command("drover", "keys", "list", "--data", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if f := strings.Fields(line); strings.Contains(line, " temp ") {
			if out, err := exec.Command("drover", "keys", "revoke", "--data", dir, f[3]).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
		}
	}
	if status, _ := s.get("/v1/agents", key); status != http.StatusUnauthorized {
		t.Errorf("revoked key: %d", status)
	}
}

func TestServeKeepsTheLimitsOfItsFlags(t *testing.T) {
	site, closeSite, err := serveOnFreePort(demosite.New())
	if err != nil {
		t.Fatal(err)
	}
	defer closeSite()
	s := startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:", "--allow-private-networks", "--max-fetch-size", "100")
	status, body := s.post("/v1/fetch", "k", `{"url":"`+site+`"}`)
	if status != http.StatusBadGateway || !strings.Contains(body, "100 bytes") {
		t.Errorf("%d %s", status, body)
	}
}

func TestARemoteBrowserIsSharedIfAskedFor(t *testing.T) {
	for args, want := range map[string]bool{"": false, " --browser-shared": true} {
		var cmds commands
		parser, err := kong.New(&cmds)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(strings.Fields("serve --browser-url=ws://b.test" + args)); err != nil {
			t.Fatal(err)
		}
		o, err := cmds.Serve.options(slog.New(slog.DiscardHandler))
		if err != nil || o.Chromium.RemoteURL != "ws://b.test" || o.Chromium.RemoteShared != want {
			t.Errorf("%q: %q, %t", args, o.Chromium.RemoteURL, o.Chromium.RemoteShared)
		}
	}
}

// The key that the first start makes is shown once: a start that fails must not
// be the one.
func TestAFailedStartMakesNoKey(t *testing.T) {
	taken := strings.TrimPrefix(startServer(t, nil, "--data", ":memory:").base, "http://")
	dir := t.TempDir()
	cmd := exec.Command("drover", "serve", "--data", dir, "--addr", taken)
	cmd.Env = append(os.Environ(), keyVariable+"=")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "cannot listen") {
		t.Fatalf("%v %s", err, out)
	}
	s := startServer(t, nil, "--data", dir)
	if line := s.line(); !strings.Contains(line, "shown this once") {
		t.Errorf("the next start says %q", line)
	}
}

func TestAnInterruptedRunIsStopped(t *testing.T) {
	site, closeSite, err := serveOnFreePort(demosite.New())
	if err != nil {
		t.Fatal(err)
	}
	defer closeSite()
	cmd := exec.Command("drover", "run", "--data", ":memory:", "--allow-private-networks", "Go to "+site+". Wait 50 seconds.")
	steps, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	r := bufio.NewReader(steps)
	for line := ""; !strings.Contains(line, "wait"); {
		if line, err = r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(r)
	cmd.Wait()
	if err != nil || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(rest), "STOPPED") {
		t.Errorf("%v, exit status %d\n%s", err, cmd.ProcessState.ExitCode(), rest)
	}
}

func TestServeSaysWhyItCannot(t *testing.T) {
	s := startServer(t, nil, "--data", ":memory:")
	taken := strings.TrimPrefix(s.base, "http://")
	for _, args := range [][]string{{"--addr", taken}, {"--addr", "nonsense"}, {"--data", "/dev/null/x"}} {
		cmd := exec.Command("drover", append([]string{"serve", "--data", ":memory:"}, args...)...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "drover: ") {
			t.Errorf("%v: %d %s", args, cmd.ProcessState.ExitCode(), out)
		}
	}
}
