package chrome_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// soon fails the test when f takes longer than a hang would be noticed by a
// time-out of the session's own.
func soon(t *testing.T, what string, f func()) {
	t.Helper()
	inLimit(t, what, 10*time.Second, f)
}

// inLimit fails the test when f takes longer.
func inLimit(t *testing.T, what string, limit time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		t.Fatalf("%s hangs", what)
	}
}

// busySite has a page that spins when its button is clicked, having told so.
func busySite(t *testing.T) (srv *httptest.Server, spinning chan struct{}) {
	t.Helper()
	spinning = make(chan struct{}, 1)
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/spinning":
			spinning <- struct{}{}
		case "/other":
			io.WriteString(w, `<title>Other</title>`)
		case "/large":
			io.WriteString(w, `<title>Large</title><script>const held = new Uint8Array(900 << 20).fill(1)</script>`)
		default:
			io.WriteString(w, `<title>Busy</title><script>
function spin(flood) { const x = new XMLHttpRequest(); x.open('GET', '/spinning', false); x.send(); for (;;) if (flood) console.log('x'.repeat(1000)) }
</script><button onclick="spin()">Spin</button><button onclick="document.open(); spin(true)">Flood</button>`)
		}
	}))
	t.Cleanup(srv.Close)
	return srv, spinning
}

// spin clicks the button and returns once the page spins; the result is that
// of the click.
func spin(t *testing.T, s browser.Session, name string, spinning chan struct{}) (result chan error) {
	t.Helper()
	r := ref(t, s, name)
	result = make(chan error, 1)
	go func() { _, err := s.Click(context.Background(), r); result <- err }()
	<-spinning
	return result
}

func TestACrashedPageIsAnErrorAndCanBeLeft(t *testing.T) {
	t.Parallel()
	needsProc(t)
	srv, spinning := busySite(t)
	for name, crash := range map[string]func(t *testing.T, s browser.Session){
		"the renderer is killed": func(t *testing.T, s browser.Session) {
			for _, pid := range chrome.RendererPIDs(t, s) {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		},
		"the page crashes by itself": func(t *testing.T, s browser.Session) { chrome.CrashPage(t, s) },
	} {
		t.Run(name, func(t *testing.T) {
			p := chrometest.Provider(t)
			s, other := chrometest.Session(t, p), chrometest.Session(t, p)
			navigate(t, s, srv.URL+"/")
			result := spin(t, s, "Spin", spinning) // only the crash ends the call
			soon(t, "a call during a crash", func() {
				crash(t, s)
				if err := <-result; !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), "crashed") {
					t.Errorf("the call during the crash: %v", err)
				}
			})
			soon(t, "a call after a crash", func() {
				if _, err := s.Snapshot(t.Context()); !errtypes.Is(err, errtypes.BadGateway) {
					t.Errorf("the next call: %v", err)
				}
			})
			if s.Err() != nil {
				t.Errorf("the session ended: %v", s.Err())
			}
			if page := navigate(t, s, srv.URL+"/other"); page.Title != "Other" {
				t.Errorf("after navigating: %+v", page)
			}
			if strings.Contains(name, "itself") {
				if page := navigate(t, other, srv.URL+"/other"); page.Title != "Other" {
					t.Errorf("the other session: %+v", page)
				}
			}
		})
	}
}

func TestADeadBrowserEndsItsSessions(t *testing.T) {
	t.Parallel()
	srv, spinning := busySite(t)
	p := chrometest.Provider(t)
	s, idle := chrometest.Session(t, p), chrometest.Session(t, p)
	navigate(t, s, srv.URL+"/")
	result := spin(t, s, "Spin", spinning)
	pid := chrome.BrowserPID(p)
	soon(t, "a call during the death", func() {
		syscall.Kill(pid, syscall.SIGKILL)
		if err := <-result; !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "signal: killed") {
			t.Errorf("the call during the death: %v", err)
		}
		<-idle.Done()
	})
	for _, s := range []browser.Session{s, idle} {
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), "signal: killed") {
			t.Errorf("the session's error: %v", err)
		}
		if _, err := s.Navigate(t.Context(), srv.URL); !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("the next call: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	fresh := chrometest.Session(t, p)
	navigate(t, fresh, srv.URL+"/")
	if chrome.BrowserPID(p) == pid {
		t.Error("the dead browser is still in use")
	}
}

func TestAFrameThatHangsOrDiesIsLeftOut(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it waits for limits")
	srv, spinning := busySite(t)
	page := pages(t, map[string]string{"/": `<h1>Well</h1><iframe src="` + at(srv, "other.test", "/") + `"></iframe><p>after</p>`})
	s := chrometest.Session(t, chrometest.Provider(t, func(o *chrome.Options) { o.Timeouts.Call = 8 * time.Second }))
	navigate(t, s, at(page, "main.test", "/"))
	inFrame := ref(t, s, "Flood")
	<-spin(t, s, "Spin", spinning)
	sn := snapshot(t, s)
	if got := lines(sn); !sn.Truncated || !strings.Contains(got, `"Well"`) || !strings.Contains(got, `"after"`) || strings.Contains(got, "Flood") {
		t.Errorf("beside a frame that hangs: %s", got)
	}
	result := make(chan error, 1)
	go func() { _, err := s.Click(context.Background(), inFrame); result <- err }()
	chrome.CrashFrame(t, s)
	var stale *browser.StaleError
	if err := <-result; !asError(err, &stale) && !errtypes.Is(err, errtypes.GatewayTimeout) {
		t.Errorf("a click into the frame that died: %v", err)
	}
	soon(t, "a snapshot beside a dead frame", func() {
		if got := lines(snapshot(t, s)); !strings.Contains(got, `"Well"`) {
			t.Errorf("beside a frame that died: %s", got)
		}
	})
}

func TestABusyPageTimesOut(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it waits for limits")
	srv, spinning := busySite(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Timeouts.Call = 2500 * time.Millisecond })
	s, other := chrometest.Session(t, p), chrometest.Session(t, p)
	for _, name := range []string{"Spin", "Flood"} {
		navigate(t, s, srv.URL+"/")
		if err := <-spin(t, s, name, spinning); !errtypes.Is(err, errtypes.GatewayTimeout) {
			t.Errorf("%s: the click: %v", name, err)
		}
		if _, err := s.Snapshot(t.Context()); !errtypes.Is(err, errtypes.GatewayTimeout) {
			t.Errorf("%s: the next call: %v", name, err)
		}
		soon(t, "another session", func() { navigate(t, other, srv.URL+"/other") })
		if page := navigate(t, s, srv.URL+"/other"); page.Title != "Other" {
			t.Errorf("%s: leaving a busy page: %+v", name, page)
		}
	}
}
