package chrome_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// What holds for sessions of the common process holds for one with a process
// of its own, whose pages are in the browser's default context.
func TestADedicatedProcess(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "what sessions of the shared browser are tested for, again")
	o := browser.Options{OwnProcess: true}
	t.Run("no way leads to a private address", func(t *testing.T) { noWayLeads(t, o) })
	t.Run("the browser keeps to itself", func(t *testing.T) { keepsToItself(t, o) })
	t.Run("no bypass", func(t *testing.T) { noBypass(t, o) })
	t.Run("downloads", func(t *testing.T) { downloadsOfClients(t, o) })
}

func TestDedicatedProcessesAreApart(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "many starts of browsers")
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir, o.MaxSessions, o.Timeouts.Queue = dir, 2, -1 })
	srv := pages(t, map[string]string{"/": `<title>t</title><a href=/>Link</a><script>onload = () => { document.body.append(document.cookie + '|'); document.cookie = 'a=b; max-age=999' }</script><p>stored: </p>`})
	one := openWith(t, p, browser.Options{OwnProcess: true})
	two := openWith(t, p, browser.Options{OwnProcess: true, Verified: true})
	if _, err := p.Open(t.Context(), browser.Options{OwnProcess: true}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("a session beyond the limit: %v", err)
	}
	for _, s := range []browser.Session{one, two} {
		navigate(t, s, srv.URL+"/")
		if says(t, s, "a=b") {
			t.Error("a session knows the cookies of another")
		}
		click(t, s, "Link")
		if sent, received := s.Traffic(); !says(t, s, "a=b") || sent < 100 || received < 100 {
			t.Errorf("traffic %d and %d: %s", sent, received, lines(snapshot(t, s)))
		}
	}
	pid := chrome.SessionPID(one)
	syscall.Kill(pid, syscall.SIGKILL)
	<-one.Done()
	if err := one.Err(); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("the session whose process died: %v", err)
	}
	navigate(t, two, srv.URL+"/")
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	third := openWith(t, p, browser.Options{OwnProcess: true})
	pids := []int{chrome.SessionPID(two), chrome.SessionPID(third)}
	two.Close()
	waitGone(t, pids[0])
	p.Close()
	waitGone(t, pids[1])
	if left := chrome.ProcessesUsing(dir); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

// A provider that is closed while it starts a process leaves none.
func TestClosingWhileAProcessOfItsOwnStarts(t *testing.T) {
	t.Parallel()
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	opened := make(chan error, 1)
	go func() {
		_, err := p.Open(t.Context(), browser.Options{OwnProcess: true})
		opened <- err
	}()
	chrome.WaitOpen(p, 1)
	p.Close()
	if err := <-opened; err == nil {
		t.Error("a session of a closed provider was opened")
	}
	if left := chrome.ProcessesUsing(dir); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}
