package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// commandsOf runs the command against a server, with its key in the environment.
type commandsOf struct {
	t *testing.T
	s *server
}

func (c commandsOf) command(args ...string) *exec.Cmd {
	cmd := exec.Command("drover", args...)
	cmd.Env = append(os.Environ(), keyVariable+"=k", "DROVER_SERVER="+c.s.base)
	return cmd
}

// run returns what a command prints, and its exit status.
func (c commandsOf) run(args ...string) (out, errs string, code int) {
	c.t.Helper()
	cmd := c.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// good is what a command prints that succeeds and complains of nothing.
func (c commandsOf) good(args ...string) string {
	c.t.Helper()
	out, errs, code := c.run(args...)
	if code != 0 || errs != "" {
		c.t.Fatalf("%v: %d %s%s", args, code, out, errs)
	}
	return out
}

// bad is what a command says that fails.
func (c commandsOf) bad(args ...string) string {
	c.t.Helper()
	out, errs, code := c.run(args...)
	if code != 1 || out != "" {
		c.t.Errorf("%v: %d %s", args, code, out)
	}
	return errs
}

// navigate sends the session's first tab somewhere, as a client does.
func navigate(t *testing.T, connectURL, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, connectURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	ask := func(message string) (answer struct {
		ID     int
		Result struct {
			SessionID   string
			TargetInfos []struct{ TargetID, Type string }
		}
	}) {
		if err := conn.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
		for answer.ID == 0 {
			_, raw, err := conn.Read(ctx)
			if err = errors.Join(err, json.Unmarshal(raw, &answer)); err != nil {
				t.Fatal(err)
			}
		}
		return answer
	}
	tab := ask(`{"id":1,"method":"Target.getTargets"}`).Result.TargetInfos[0].TargetID
	attached := ask(`{"id":2,"method":"Target.attachToTarget","params":{"flatten":true,"targetId":"` + tab + `"}}`).Result.SessionID
	ask(`{"id":3,"sessionId":"` + attached + `","method":"Page.navigate","params":{"url":"` + address + `"}}`)
}

// A session is made, watched and ended from the command line, beside a service
// that runs.
func TestSessionsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a server and many commands, each a process")
	chrometest.RequireChromium(t)
	site, closeSite, err := serveOnFreePort(siteOfWords())
	if err != nil {
		t.Fatal(err)
	}
	defer closeSite()
	s := startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:", "--allow-private-networks")
	c := commandsOf{t, s}

	out := c.good("sessions", "create", "--keep-alive", "--timeout", "10m", "--metadata", "team=qa", "--viewport", "800x600")
	shown := regexp.MustCompile(`^id +(\S+)\nconnect +(ws://\S+)\nlive +(http://\S+)\nexpires +\S+Z\nends +when it expires or is released; .+\n$`).FindStringSubmatch(out)
	if shown == nil {
		t.Fatalf("create prints\n%s", out)
	}
	id := shown[1]
	if status, page := s.get(strings.TrimPrefix(shown[3], s.base), ""); status != 200 || !strings.Contains(page, "<html") {
		t.Errorf("the live view: %d %s", status, page)
	}
	waits := regexp.MustCompile(`\nends +at (\S+) unless a client connects before .+ leaves\n$`).FindStringSubmatch(c.good("sessions", "create"))
	if waits == nil {
		t.Fatal("create does not say when a session ends that nobody connects to")
	}
	if until, err := time.Parse(time.RFC3339, waits[1]); err != nil || time.Until(until) > 5*time.Minute || time.Until(until) < 3*time.Minute {
		t.Errorf("it ends at %s: %v", waits[1], err)
	}
	var made struct{ ID, ConnectURL, LiveURL, Status string }
	if err := json.Unmarshal([]byte(c.good("sessions", "create", "--json", "--no-record")), &made); err != nil || made.Status != "RUNNING" || made.ConnectURL == "" || made.LiveURL == "" {
		t.Errorf("%+v %v", made, err)
	}

	if out := c.good("sessions", "list", "-q", "user_metadata['team']:'qa'"); !regexp.MustCompile(id+`  RUNNING +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ `).MatchString(out) || strings.Contains(out, made.ID) {
		t.Errorf("list prints\n%s", out)
	}
	var all []struct{ ID string }
	if err := json.Unmarshal([]byte(c.good("sessions", "list", "--json", "--status", "RUNNING")), &all); err != nil || len(all) != 3 || all[2].ID != id {
		t.Errorf("%+v %v", all, err)
	}

	follow := c.command("sessions", "log", "--follow", id)
	lines, err := follow.StdoutPipe()
	if err == nil {
		err = follow.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { follow.Process.Kill(); follow.Wait() }()
	navigate(t, shown[2], site+"/words")
	r := bufio.NewReader(lines)
	for line := ""; !strings.Contains(line, site+"/words"); {
		if line, err = r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}

	live := c.good("sessions", "live", "--expires", "1m", id)
	if status, _ := s.get(strings.TrimPrefix(strings.TrimSpace(live), s.base), ""); status != 200 {
		t.Errorf("%s: %d", live, status)
	}
	if acting := c.good("sessions", "live", "--expires", "1m", "--interactive", id); acting == live {
		t.Errorf("the link that acts is that which only shows: %s", acting)
	}
	if out := c.good("sessions", "release", id, made.ID); strings.Count(out, " is COMPLETED.\n") != 2 {
		t.Errorf("release prints\n%s", out)
	}
	if err := follow.Wait(); err != nil { // it ends with the session
		t.Errorf("the log that was followed: %v", err)
	}
	entries := c.good("sessions", "log", "--json", id)
	for line := range strings.Lines(entries) {
		var e struct{ Method string }
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Method == "" {
			t.Errorf("%v: %s", err, line)
		}
	}
	if !strings.Contains(entries, site+"/words") {
		t.Errorf("the log as JSON:\n%s", entries)
	}
	if out := c.good("sessions", "list", "--status", "COMPLETED"); strings.Count(out, "COMPLETED") != 2 {
		t.Errorf("list prints\n%s", out)
	}
	if says := c.bad("sessions", "live", id); !strings.Contains(says, "409 Conflict: the session has ended") || !strings.Contains(says, "drover sessions replay "+id) {
		t.Error(says)
	}
	replay := c.good("sessions", "replay", id)
	if status, page := s.get(strings.TrimPrefix(strings.TrimSpace(replay), s.base), ""); status != 200 || !strings.Contains(page, "<html") {
		t.Errorf("the replay at %s: %d %s", replay, status, page)
	}
}

// What is wrong is said before or by the service, and in words that help.
func TestSessionsCommandsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")}
	for _, test := range []struct {
		says string
		args []string
	}{
		{`there is no session "none"`, []string{"sessions", "log", "none"}},
		{`there is no session "none"`, []string{"sessions", "live", "none"}},
		{`none: 404 Not Found: there is no session "none"`, []string{"sessions", "release", "none"}},
		{"--viewport must be a width and a height", []string{"sessions", "create", "--viewport", "big"}},
		{"--persist needs --context", []string{"sessions", "create", "--persist"}},
		{"400 Bad Request: timeout must be", []string{"sessions", "create", "--timeout", "5s"}},
		{"401 Unauthorized: the API key is not valid", []string{"sessions", "list", "--key", "wrong"}},
		{"set DROVER_API_KEY, or give --key", []string{"sessions", "list", "--key", ""}},
		{"--server must be an http or https URL", []string{"sessions", "list", "--server", "127.0.0.1:8080"}},
		{`"drover serve" starts one`, []string{"sessions", "list", "--server", "http://127.0.0.1:1"}},
	} {
		if says := c.bad(test.args...); !strings.Contains(says, test.says) {
			t.Errorf("%v: %s, want %s", test.args, says, test.says)
		}
	}
}

// The link is opened by what the system opens links with.
func TestTheLiveViewIsOpened(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the program that opens links is replaced by one for Linux")
	}
	dir := t.TempDir()
	to := filepath.Join(dir, "opened")
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" > "+to+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	chrometest.RequireChromium(t)
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")}
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(c.good("sessions", "create", "--json")), &made); err != nil {
		t.Fatal(err)
	}
	cmd := c.command("sessions", "live", "--open", made.ID)
	cmd.Env = append(cmd.Env, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.Output()
	opened, errOpened := os.ReadFile(to)
	if err != nil || errOpened != nil || string(opened) != string(out) || !strings.Contains(string(out), made.ID+"/live?viewToken=") {
		t.Errorf("printed %q, opened %q: %v %v", out, opened, err, errOpened)
	}
}

// Of a log that is asked for again only what is new is printed, also when its
// oldest entries are gone by then, and when some are alike.
func TestWhatIsNewOfALog(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ before, now, want string }{
		{"", "a b", "a b"}, {"a b", "a b", ""}, {"a b", "a b c", "c"}, {"a b c", "b c d e", "d e"}, {"a b", "c d", "c d"},
		{"a a", "a a a", "a"}, {"a b a", "b a b", "b"}, {"a b", "", ""}, {"a b c", "c", ""},
	} {
		if got := after(strings.Fields(test.before), strings.Fields(test.now)); !slices.Equal(got, strings.Fields(test.want)) && len(got)+len(test.want) > 0 {
			t.Errorf("after %q of %q: %q, want %q", test.before, test.now, got, test.want)
		}
	}
}

// A log is told in words, without what only programs need to know, and disturbs
// no terminal.
func TestALogInWords(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := logPrinter{out: &out}
	err := p.print([]json.RawMessage{
		json.RawMessage(`{"method":"Network.loadingFinished","timestamp":0,"request":{"params":{"requestId":"1"}}}`),
		json.RawMessage(`{"method":"Page.frameNavigated","timestamp":1000,"request":{"params":{"frame":{"id":"F","url":"https://a.example/"}}}}`),
		json.RawMessage(`{"method":"Drover.note","timestamp":2000,"request":{"params":{"message":"a\n\u001b[31mb"}}}`),
	})
	lines := strings.Split(out.String(), "\n")
	if err != nil || len(lines) != 3 || !strings.HasPrefix(lines[0], "00:00:01.000Z  ") || !strings.Contains(lines[0], "https://a.example/") ||
		!strings.HasPrefix(lines[1], "00:00:02.000Z  ") || strings.Contains(lines[1], "\x1b") {
		t.Errorf("%v\n%q", err, out.String())
	}
}

func siteOfWords() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>Words</title>")
	})
}
