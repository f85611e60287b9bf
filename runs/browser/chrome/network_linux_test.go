package chrome_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// killNetwork ends the network service of a session's browser and returns its
// number.
func killNetwork(t *testing.T, s browser.Session) (pid int) {
	t.Helper()
	pid = chrome.NetworkPID(t, s)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	return pid
}

// A lockedBuffer is a log that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A browser whose network service has ended is ended at once, and replaced,
// whatever kind it is; its sessions say why.
func TestABrowserWithoutItsNetworkService(t *testing.T) {
	t.Parallel()
	needsProc(t)
	srv := pages(t, map[string]string{"/": `<title>t</title>`})
	for name, o := range map[string]browser.Options{
		"shared": {}, "verified": {Verified: true}, "own": {OwnProcess: true}, "profile": {Profile: &browser.Profile{}},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "shared" {
				testlevel.Long(t, "the same in a browser of another kind")
			}
			if o.Profile != nil {
				o.Profile.Dir = t.TempDir()
			}
			var log lockedBuffer
			p := chrometest.Provider(t, spares(2), func(o *chrome.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
			s := openWith(t, p, o)
			chrome.WaitFilled(p)
			navigate(t, s, srv.URL+"/")
			pid := chrome.SessionPID(s)
			killNetwork(t, s)
			soon(t, "noticing it", func() { <-s.Done() })
			if err := s.Err(); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(errtypes.Public(err).Message, "the network service of this session's browser ended") {
				t.Errorf("the cause is %v", err)
			}
			if _, err := s.Navigate(t.Context(), srv.URL+"/"); err == nil || !strings.Contains(err.Error(), "network service") {
				t.Errorf("a call afterwards: %v", err)
			}
			waitGone(t, pid)
			s.Close()
			next := openWith(t, p, o)
			navigate(t, next, srv.URL+"/")
			if chrome.SessionPID(next) == pid {
				t.Error("the browser was not replaced")
			}
			if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "the network service has ended") {
				t.Errorf("the log says %s", &log)
			}
		})
	}
}

// What would be otherwise: the contexts of sessions fall to the proxy that
// refuses everything, never to none. A private address, which the gate refuses,
// shows who goes around it.
func TestContextsThatHaveLostTheirProxies(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "it waits for a browser to recover")
	tr := newTrap(t)
	srv := pages(t, map[string]string{"/": `<title>t</title>`})
	p := chrometest.Provider(t, spares(1), chrome.Unwatched)
	s := openSession(t, p, browser.Options{})
	chrome.WaitFilled(p)
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	page, _ := c.page()
	before := killNetwork(t, s)
	for pid := before; pid == before || pid == 0; pid = chrome.NetworkPID(t, s) {
	}
	spare := openSession(t, p, browser.Options{})
	for name, lost := range map[string]browser.Session{"the session": s, "the spare": spare} {
		if _, err := lost.Navigate(t.Context(), srv.URL+"/"); err == nil {
			t.Errorf("%s reaches its page without its proxy", name)
		}
	}
	for _, url := range []string{srv.URL, "http://" + tr.host, "https://" + tr.host} {
		if got := c.eval(page, `fetch('`+url+`/x', {mode: 'no-cors'}).then(() => 'answered', e => 'failed')`); got != "failed" {
			t.Errorf("the page's way to %s: %v", url, got)
		}
	}
	navigate(t, openSession(t, p, browser.Options{}), srv.URL+"/") // a new context has its own
	if seen := tr.came(); len(seen) > 0 {
		t.Errorf("reached the private address: %v", seen)
	}
}
