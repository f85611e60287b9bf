package chrome_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// stopped stops a process, which is there but does nothing any more.
func stopped(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// onlyHung leaves to the clock of a test no limit but that of a hung browser:
// on a busy machine many of its rounds come late, and do not count.
func onlyHung(c *clock.Manual) func(o *chrome.Options) {
	return func(o *chrome.Options) {
		o.Clock = c
		never := 1000 * time.Hour
		o.Timeouts.Start, o.Timeouts.Navigate, o.Timeouts.Call, o.Timeouts.Close, o.Timeouts.Queue = never, never, never, never, never
	}
}

// hangs has waited for the browser to be found hanging by the clock.
func hangs(t *testing.T, c *clock.Manual, p *chrome.Provider, s browser.Session) {
	t.Helper()
	for waiting := true; waiting; {
		select {
		case <-s.Done():
			waiting = false
		case <-t.Context().Done():
			t.Fatal("nobody notices")
		default:
			c.Advance(chrome.HungAfter(p))
			runtime.Gosched()
		}
	}
}

func TestAHungBrowserIsEnded(t *testing.T) {
	t.Parallel()
	needsProc(t)
	c := clock.NewManual(time.Now())
	p := chrometest.Provider(t, spares(1), onlyHung(c))
	s := openSession(t, p, browser.Options{})
	chrome.WaitFilled(p)
	pid := chrome.BrowserPID(p)
	stopped(t, pid)
	result := make(chan error, 1)
	go func() { _, err := s.Navigate(context.Background(), "http://127.0.0.1/"); result <- err }()
	hangs(t, c, p, s)
	for what, err := range map[string]error{"the call": <-result, "the session": s.Err()} {
		if !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(errtypes.Public(err).Message, "hung: it did not answer for 10s") {
			t.Errorf("%s: %v", what, err)
		}
	}
	waitGone(t, pid)
	soon(t, "closing", func() { s.Close() })
	next := openSession(t, p, browser.Options{})
	if _, err := next.Page(t.Context()); err != nil || chrome.BrowserPID(p) == pid {
		t.Errorf("the next session: %v", err)
	}
	next.Close()
}

// Who asks for a session while the browser hangs gets one of the next.
func TestASessionOfAHungBrowserIsOpenedInAnother(t *testing.T) {
	t.Parallel()
	needsProc(t)
	c := clock.NewManual(time.Now())
	p := chrometest.Provider(t, onlyHung(c))
	s := openSession(t, p, browser.Options{})
	stopped(t, chrome.BrowserPID(p))
	opened := make(chan error, 1)
	go func() {
		next, err := p.Open(context.Background(), browser.Options{})
		if err == nil {
			_, err = next.Page(context.Background())
		}
		opened <- err
	}()
	chrome.WaitOpen(p, 2)
	hangs(t, c, p, s)
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

// Where nobody looks, a session that cannot be ended shows it.
func TestASessionOfAHungBrowserIsClosed(t *testing.T) {
	t.Parallel()
	needsProc(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Timeouts.Hung, o.Timeouts.Close = -1, time.Second })
	s, other := openSession(t, p, browser.Options{}), openSession(t, p, browser.Options{})
	pid := chrome.BrowserPID(p)
	stopped(t, pid)
	s.Close()
	<-other.Done()
	if err := other.Err(); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "hung: it did not answer for 1s") {
		t.Errorf("the other session: %v", err)
	}
	if next := openSession(t, p, browser.Options{}); next.Err() != nil || chrome.BrowserPID(p) == pid {
		t.Errorf("the next browser: %v", next.Err())
	}
}

// A page in an endless loop keeps nobody waiting for longer than they want, and
// its session ends as others do.
func TestASessionOfAHungPage(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "it waits for limits")
	srv, spinning := busySite(t)
	for name, hang := range map[string]func(t *testing.T, s browser.Session){
		"it spins": func(t *testing.T, s browser.Session) {
			r := ref(t, s, "Spin")
			go s.Click(context.Background(), r)
			<-spinning
		},
		"its process is stopped": func(t *testing.T, s browser.Session) {
			for _, pid := range chrome.RendererPIDs(t, s) {
				stopped(t, pid)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := chrometest.Provider(t)
			s := openSession(t, p, browser.Options{})
			navigate(t, s, srv.URL+"/")
			hang(t, s)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := s.Snapshot(ctx); !errtypes.Is(err, errtypes.RequestTimeout) {
				t.Errorf("a call with a deadline: %v", err)
			}
			pid := chrome.BrowserPID(p)
			soon(t, "closing", func() { s.Close() })
			other := openSession(t, p, browser.Options{})
			if page := navigate(t, other, srv.URL+"/other"); page.Title != "Other" || chrome.BrowserPID(p) != pid {
				t.Errorf("another session: %+v", page)
			}
		})
	}
}

// A browser that works without a pause is not thought to hang.
func TestABusyBrowserIsNotEnded(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it waits for limits")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `<title>busy</title><script>for (let end = performance.now() + 100; performance.now() < end;);</script>`)
	}))
	defer srv.Close()
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Timeouts.Hung = 4 * time.Second })
	s := openSession(t, p, browser.Options{})
	for begun := time.Now(); time.Since(begun) < 6*time.Second; {
		navigate(t, s, srv.URL)
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}

// Whoever opens a session while the browser is being killed gets one of the
// next, or hears what happened.
func TestOpeningWhileTheBrowserDies(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "many starts of browsers")
	p := chrometest.Provider(t, func(o *chrome.Options) { o.MaxSessions = 30 })
	for range testlevel.Rounds(2, 5) {
		openSession(t, p, browser.Options{})
		opened := make(chan error, 3)
		for range cap(opened) {
			go func() { _, err := p.Open(context.Background(), browser.Options{}); opened <- err }()
		}
		if pid := chrome.BrowserPID(p); pid > 0 {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		for range cap(opened) {
			if err := <-opened; err != nil {
				t.Logf("opening: %v", err)
				if !errtypes.Is(err, errtypes.Unavailable) {
					t.Errorf("which does not say why")
				}
			}
		}
	}
}
