package chrome_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// Frames that are no commands are answered, and the connection goes on; so do
// those that the browser itself cannot read.
func TestBrokenFrames(t *testing.T) {
	t.Parallel()
	s := open(t)
	c := connect(t, s)
	page, _ := c.page()
	for _, frame := range []string{
		"", "{", "[]", "null", `{"id":1}`, `{"id":"x","method":"Browser.getVersion"}`, `{"id":4294967296,"method":"Browser.getVersion"}`,
		`{"id":1073741824,"method":"Browser.getVersion"}`, `{"id":5,"method":"Browser.getVersion","sessionId":"FFFF"}`,
		`{"id":6,"method":"Runtime.evaluate","sessionId":"` + page + `","params":{"expression":"\ud800","x":1e999}}`,
		`{"id":7,"method":"Runtime.evaluate","sessionId":"` + page + `","params":{"expression":"1","expression":"2"}}`,
		strings.Repeat("[", 100000), "{\"id\":8,\"method\":\"\xff\"}", "\x00", `{"id":9,"method":"Target.setDiscoverTargets","params":{"discover":"yes","filter":7}}`,
	} {
		c.raw(frame)
	}
	c.must("", "Browser.getVersion", nil)
	if v := c.eval(page, "6*7"); v != 42.0 {
		t.Errorf("the page says %v", v)
	}
	if _, err := s.Page(t.Context()); err != nil {
		t.Error(err)
	}
}

// A client that leaves takes with it what it had.
func TestNothingIsLeftOfAClient(t *testing.T) {
	t.Parallel()
	s := chrometest.Session(t, chrometest.Provider(t))
	before := chrome.Contexts(t, s)
	c := connect(t, s)
	id := c.must("", "Target.createBrowserContext", nil)["browserContextId"]
	c.must("", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": id})
	c.must("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	c.must("", "Target.attachToBrowserTarget", nil)
	if n := chrome.Contexts(t, s); n != before+1 {
		t.Errorf("%d contexts", n)
	}
	c.leave()
	if n := chrome.Contexts(t, s); n != before {
		t.Errorf("%d contexts are left, %d were there", n, before)
	}
	if n := chrome.Routes(s); n != 0 {
		t.Errorf("%d protocol sessions are left", n)
	}
	navigate(t, s, pages(t, map[string]string{"/": "<p>on"}).URL+"/")
}

// A session whose tabs a client has closed says so, and goes on with a new one.
func TestAClientMayCloseAllTabs(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>on</title><a href=/ target=_blank>Open</a>`})
	s := chrometest.Session(t, sharedProvider(t))
	navigate(t, s, srv.URL+"/")
	click(t, s, "Open")
	c := connect(t, s)
	c.must("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	for len(s.Tabs()) > 0 {
		tab := s.Tabs()[0].ID
		c.must("", "Target.closeTarget", map[string]any{"targetId": tab})
		chrome.WaitClosed(s, tab)
	}
	for name, call := range map[string]func() error{
		"page":       func() error { _, err := s.Page(t.Context()); return err },
		"snapshot":   func() error { _, err := s.Snapshot(t.Context()); return err },
		"screenshot": func() error { _, err := s.Screenshot(t.Context(), browser.ScreenshotOptions{}); return err },
	} {
		if err := call(); !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), "no page is open; navigate to one") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p := navigate(t, s, srv.URL+"/"); p.Title != "on" || len(s.Tabs()) != 1 {
		t.Errorf("%+v, %+v", p, s.Tabs())
	}
	if session, id := c.page(); id != s.Tabs()[0].ID || c.eval(session, "document.title") != "on" {
		t.Error("the client does not see the new tab")
	}
}

// Browser.close is for the client alone.
func TestBrowserCloseEndsTheConnection(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, other := connect(t, s), connect(t, s)
	c.must("", "Browser.close", nil)
	if err := <-c.done; err != nil {
		t.Errorf("the connection ended with %v", err)
	}
	c.done <- nil
	other.must("", "Browser.getVersion", nil)
}

func TestSessionsEndEndsItsClients(t *testing.T) {
	t.Parallel()
	s := open(t)
	c := connect(t, s)
	c.must("", "Browser.getVersion", nil)
	s.Close()
	err := <-c.done
	if !errtypes.Is(err, errtypes.Gone) {
		t.Errorf("the connection ended with %v", err)
	}
	c.done <- err
	if err := s.Serve(t.Context(), c); !errtypes.Is(err, errtypes.Gone) {
		t.Errorf("a closed session serves: %v", err)
	}
}

// silent is a client that reads nothing.
type silent struct{ *rawClient }

func (s *silent) Write(ctx context.Context, _ []byte) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

func TestAClientThatDoesNotReadIsDisconnected(t *testing.T) {
	t.Parallel()
	s := chrometest.Session(t, chrometest.Provider(t, func(o *chrome.Options) { o.Clients.Queue = 100_000 }))
	c := &silent{rawClient: &rawClient{t: t, in: make(chan []byte), left: make(chan struct{})}}
	done := make(chan error, 1)
	go func() { done <- s.Serve(t.Context(), c) }()
	for {
		select {
		case c.in <- []byte(`{"id":1,"method":"Browser.getVersion"}`):
			continue
		case err := <-done:
			if !errtypes.Is(err, errtypes.RateLimited) {
				t.Errorf("it ended with %v", err)
			}
		}
		break
	}
	if _, err := s.Page(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestLimitsOfClients(t *testing.T) {
	t.Parallel()
	s := chrometest.Session(t, chrometest.Provider(t, func(o *chrome.Options) {
		o.Clients = chrome.Clients{Max: 1, Contexts: 1, Message: 100_000}
		o.MaxTabs = 2
	}))
	c := connect(t, s)
	page, _ := c.page()
	if err := s.Serve(t.Context(), c); !errtypes.Is(err, errtypes.RateLimited) {
		t.Errorf("a second client: %v", err)
	}
	own := c.must("", "Target.createBrowserContext", nil)["browserContextId"]
	if r := c.ask("", "Target.createBrowserContext", nil); r.Error == nil || !strings.Contains(r.Error.Message, "1 browser contexts") {
		t.Errorf("a second context: %s", r.Result)
	}
	c.must("", "Target.createTarget", map[string]any{"url": "about:blank"})
	for name, params := range map[string]map[string]any{
		"": {"url": "about:blank"}, " in a context of the client's own": {"url": "about:blank", "browserContextId": own},
	} {
		if r := c.ask("", "Target.createTarget", params); r.Error == nil || !strings.Contains(r.Error.Message, "2 tabs") {
			t.Errorf("a third tab%s: %s", name, r.Result)
		}
	}
	if r := c.ask(page, "Runtime.evaluate", map[string]any{"expression": "'x'.repeat(200000)"}); r.Error == nil || !strings.Contains(r.Error.Message, "limit") {
		t.Errorf("a long answer: %.100s", r.Result)
	}
}

// A file that the session has handed out can be named, and no other.
func TestUploadsHandedOut(t *testing.T) {
	t.Parallel()
	s := open(t)
	navigate(t, s, pages(t, map[string]string{"/": "<input type=file>"}).URL+"/")
	path := filepath.Join(t.TempDir(), "handed-out.txt")
	if err := os.WriteFile(path, []byte("given"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connect(t, s)
	page, _ := c.page()
	input := c.must(page, "Runtime.evaluate", map[string]any{"expression": "document.querySelector('input')"})["result"].(map[string]any)["objectId"]
	set := map[string]any{"objectId": input, "files": []string{path}}
	if r := c.ask(page, "DOM.setFileInputFiles", set); r.Error == nil {
		t.Error("not refused before")
	}
	s.Offer("report.txt", path)
	if r := c.ask(page, "DOM.setFileInputFiles", set); r.Error == nil {
		t.Error("a path is permitted that was not given out")
	}
	set["files"] = []string{"/tmp/.uploads/report.txt"}
	c.must(page, "DOM.setFileInputFiles", set)
	if text := c.eval(page, "document.querySelector('input').files[0].text()"); text != "given" {
		t.Errorf("the page reads %v", text)
	}
}

// The agent works while a client does.
func TestAgentAndClientAtOnce(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<button onclick="this.textContent='pressed'">press</button>`})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	c.must("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	page, _ := c.page()
	ctx, cancel := context.WithCancel(t.Context())
	busy := make(chan int, 1)
	go func() {
		n := 0
		for ctx.Err() == nil {
			if r := c.ask(page, "Runtime.evaluate", map[string]any{"expression": "document.title"}); r.Error == nil {
				n++ // an error says that the page was left meanwhile
			}
		}
		busy <- n
	}()
	for range 3 {
		navigate(t, s, srv.URL+"/")
		click(t, s, "press")
		if !says(t, s, "pressed") {
			t.Error("the agent's click did nothing")
		}
	}
	cancel()
	if n := <-busy; n == 0 {
		t.Error("the client could do nothing meanwhile")
	}
}

var _ browser.Client = (*rawClient)(nil)
