package chrome_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func TestNothingRunsWithoutASession(t *testing.T) {
	t.Parallel()
	dir := chrometest.TempDir(t)
	hands := clock.NewManual(time.Now())
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir, o.Clock = dir, hands })
	if found := entries(t, dir); len(found) > 0 || chrome.BrowserPID(p) != 0 {
		t.Fatalf("before the first session there is %v", found)
	}
	s := chrometest.Session(t, p)
	pid := chrome.BrowserPID(p)
	if pid == 0 {
		t.Fatal("no browser runs")
	}
	s.Close()
	hands.Advance(59 * time.Second)
	again := chrometest.Session(t, p)
	if chrome.BrowserPID(p) != pid {
		t.Error("a browser was ended before its time")
	}
	hands.Advance(time.Hour)
	if chrome.BrowserPID(p) != pid {
		t.Error("a browser in use was ended")
	}
	again.Close()
	hands.Advance(61 * time.Second)
	waitGone(t, pid)
	chrome.WaitEnded(p)
	if left := chrome.ProcessesUsing(dir); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*")); len(found) > 0 {
		t.Errorf("files are left: %v", found)
	}
	if third := chrometest.Session(t, p); chrome.BrowserPID(p) == pid || third.Err() != nil {
		t.Error("no new browser was started")
	}
	p.Close()
}

func TestSessionsAreLimited(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t, func(o *chrome.Options) { o.MaxSessions, o.Timeouts.Queue = 2, -1 })
	var sessions []browser.Session
	var mu sync.Mutex
	var wg sync.WaitGroup
	refused := 0
	for range 5 {
		wg.Go(func() {
			s, err := p.Open(t.Context(), browser.Options{})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				sessions = append(sessions, s)
			case errtypes.Is(err, errtypes.Unavailable) && strings.Contains(err.Error(), "all 2 browser sessions"):
				refused++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(sessions) != 2 || refused != 3 {
		t.Fatalf("%d opened, %d refused", len(sessions), refused)
	}
	sessions[0].Close()
	if s, err := p.Open(t.Context(), browser.Options{}); err != nil {
		t.Errorf("after one closed: %v", err)
	} else {
		s.Close()
	}
}

func TestSessionsAreApart(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<script>onload = () => { document.body.append(document.cookie + '|' + localStorage.x + '|'); document.cookie = 'a=b'; localStorage.x = 'y' }</script><p>stored: </p>`})
	for range 2 {
		s := open(t)
		navigate(t, s, srv.URL+"/")
		if sn := lines(snapshot(t, s)); !strings.Contains(sn, "|undefined|") || strings.Contains(sn, "a=b") {
			t.Errorf("a new session knows of another: %s", sn)
		}
		navigate(t, s, srv.URL+"/")
		if !says(t, s, "a=b|y|") {
			t.Errorf("a session forgets: %s", lines(snapshot(t, s)))
		}
	}
}

func TestAClosedSession(t *testing.T) {
	t.Parallel()
	s := open(t)
	select {
	case <-s.Done():
		t.Fatal("done at once")
	default:
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { s.Close() })
	}
	wg.Wait()
	<-s.Done()
	if s.Err() != nil {
		t.Errorf("closing is not an error: %v", s.Err())
	}
	_, err1 := s.Navigate(t.Context(), "http://127.0.0.1/")
	_, err2 := s.Page(t.Context())
	_, err3 := s.Snapshot(t.Context())
	_, err4 := s.Click(t.Context(), "e1")
	_, err5 := s.Type(t.Context(), "e1", "x", browser.TypeOptions{})
	_, _, err6 := s.HTML(t.Context(), 1)
	for i, err := range []error{err1, err2, err3, err4, err5, err6} {
		if !errtypes.Is(err, errtypes.Gone) {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
}

func TestClosingTheProviderEndsEverything(t *testing.T) {
	t.Parallel()
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	srv, spinning := busySite(t)
	s, idle := chrometest.Session(t, p), chrometest.Session(t, p)
	navigate(t, s, srv.URL+"/")
	result := spin(t, s, "Spin", spinning)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := <-result; !errtypes.Is(err, errtypes.Gone) {
		t.Errorf("the call that was under way: %v", err)
	}
	<-idle.Done()
	if found := entries(t, dir); len(found) > 0 || len(chrome.ProcessesUsing(dir)) > 0 {
		t.Errorf("left: %v %v", found, chrome.ProcessesUsing(dir))
	}
	if _, err := p.Open(t.Context(), browser.Options{}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("opening afterwards: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestClosingDuringTheStart(t *testing.T) {
	t.Parallel()
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	result := make(chan error, 1)
	go func() { _, err := p.Open(context.Background(), browser.Options{}); result <- err }()
	chrome.WaitStarting(p)
	p.Close()
	if err := <-result; err == nil {
		t.Error("a session of a closed provider")
	}
	if found := entries(t, dir); len(found) > 0 {
		t.Errorf("left: %v", found)
	}
}

// slowProxy is made while its provider closes.
type slowProxy struct {
	chrome.Proxy
	closed *atomic.Int32
}

func (p slowProxy) Close() error {
	p.closed.Add(1)
	return p.Proxy.Close()
}

// A session that is being opened as the provider closes leaves no proxy behind.
func TestClosingWhileASessionIsMade(t *testing.T) {
	t.Parallel()
	var p *chrome.Provider
	var made, closed atomic.Int32
	var closing sync.WaitGroup
	begun := sync.OnceFunc(func() { closing.Go(func() { p.Close() }) })
	p = chrometest.Provider(t, spares(-1), func(o *chrome.Options) {
		gate := *o
		gate.Proxy = nil
		factory := chrome.GateProxy(gate)
		o.Proxy = func(failed func(string, error)) (chrome.Proxy, error) {
			made.Add(1)
			begun()
			chrome.WaitClosing(p)
			inner, err := factory(failed)
			return slowProxy{inner, &closed}, err
		}
	})
	if s, err := p.Open(t.Context(), browser.Options{}); err == nil {
		s.Close()
	}
	closing.Wait()
	if made.Load() != closed.Load() || made.Load() == 0 {
		t.Errorf("%d proxies were made, and %d closed", made.Load(), closed.Load())
	}
}

func TestACallerThatGoesDuringTheStart(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t)
	cause := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	result := make(chan error, 1)
	go func() { _, err := p.Open(ctx, browser.Options{}); result <- err }()
	chrome.WaitStarting(p)
	cancel(cause)
	if err := <-result; !errors.Is(err, cause) {
		t.Errorf("%v", err)
	}
	chrometest.Session(t, p) // the browser is there for the next
}

func TestBrowsersThatDoNotStart(t *testing.T) {
	t.Parallel()
	script := func(body string) string {
		path := filepath.Join(t.TempDir(), "browser")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct{ path, text string }{
		"not there":     {"/nowhere/chromium", "no program to start as the browser: /nowhere/chromium"},
		"ends at once":  {script("echo no such library >&2; exit 127"), "no such library"},
		"never answers": {script("exec cat <&3"), "did not answer within"},
		"answers trash": {script("printf 'trash\\0' >&4; exec cat <&3"), "does not start"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := chrometest.TempDir(t)
			p, err := chrome.New(chrome.Options{ExecPath: c.path, TempDir: dir, Gate: chrometest.LocalGate(), Logger: slog.New(slog.DiscardHandler),
				Timeouts: chrome.Timeouts{Start: 300 * time.Millisecond, Close: 300 * time.Millisecond}})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			for range 2 {
				_, err := p.Open(t.Context(), browser.Options{})
				if !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), c.text) {
					t.Errorf("got %v, want %q", err, c.text)
				}
			}
			p.Close()
		})
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	t.Parallel()
	if _, err := chrome.New(chrome.Options{}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("without a gate: %v", err)
	}
	if _, err := chrome.New(chrome.Options{Gate: chrometest.LocalGate(), MaxSessions: -1}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("with a negative limit: %v", err)
	}
	p := sharedProvider(t)
	for _, o := range []browser.Options{{Width: -1, Height: 100}, {Width: 10_001, Height: 100}} {
		if _, err := p.Open(t.Context(), o); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	s, err := p.Open(t.Context(), browser.Options{ID: "mine", Width: 400, Height: 300})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	srv := pages(t, map[string]string{"/": `<script>document.write(innerWidth + 'x' + innerHeight + ' ' + devicePixelRatio)</script>`})
	navigate(t, s, srv.URL+"/")
	if s.ID() != "mine" || !says(t, s, "400x300 1") {
		t.Errorf("%s: %s", s.ID(), lines(snapshot(t, s)))
	}
}

func TestFind(t *testing.T) {
	chrometest.RequireChromium(t)
	path, version, err := chrome.Find()
	if err != nil || !filepath.IsAbs(path) || strings.Count(version, ".") < 1 {
		t.Errorf("%q %q %v", path, version, err)
	}
	t.Setenv(chrome.ExecPathEnv, "/nowhere/chromium")
	if _, _, err := chrome.Find(); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("with a wrong variable: %v", err)
	}
	t.Setenv(chrome.ExecPathEnv, "")
	t.Setenv("PATH", t.TempDir())
	if path, _, err := chrome.Find(); err == nil && !filepath.IsAbs(path) {
		t.Errorf("without a PATH: %q", path)
	}
}
