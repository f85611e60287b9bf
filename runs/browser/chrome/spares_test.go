package chrome_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func spares(n int) func(*chrome.Options) { return func(o *chrome.Options) { o.Spares = n } }

func openSession(t testing.TB, p *chrome.Provider, o browser.Options) browser.Session {
	t.Helper()
	s, err := p.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSparesAreMadeAfterTheFirstSession(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t, spares(2))
	if chrome.Spares(p) != 0 || chrome.BrowserPID(p) != 0 {
		t.Fatal("something runs before the first session")
	}
	first := openSession(t, p, browser.Options{})
	chrome.WaitFilled(p)
	if n := chrome.Spares(p); n != 2 {
		t.Fatalf("%d spares", n)
	}
	second := openSession(t, p, browser.Options{ID: "mine", Width: 640, Height: 480})
	if second.ID() != "mine" || second.ID() == first.ID() {
		t.Errorf("a spare keeps its name: %q", second.ID())
	}
	chrome.WaitFilled(p)
	if n := chrome.Spares(p); n != 2 {
		t.Errorf("%d spares after one was used", n)
	}
	first.Close()
	second.Close()
}

// A spare is as isolated as a session made for it, and has its viewport.
func TestASpareIsASessionLikeAnyOther(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "who", Value: "somebody"})
		fmt.Fprintf(w, `<title>%d</title><script>document.title += " " + innerWidth + "x" + innerHeight</script>`, len(r.Cookies()))
	}))
	defer srv.Close()
	p := chrometest.Provider(t, spares(1))
	for i := range 4 {
		o := browser.Options{Width: 500 + i, Height: 400 + i}
		s := openSession(t, p, o)
		page, err := s.Navigate(t.Context(), srv.URL)
		if want := fmt.Sprintf("0 %dx%d", o.Width, o.Height); err != nil || page.Title != want {
			t.Errorf("session %d: %q, %v; want %q", i, page.Title, err, want)
		}
		chrome.WaitFilled(p)
		s.Close()
	}
}

func TestADeadSpareIsNotUsed(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t, spares(2))
	first := openSession(t, p, browser.Options{})
	defer first.Close()
	chrome.WaitFilled(p)
	chrome.KillSpare(t, p)
	s := openSession(t, p, browser.Options{})
	defer s.Close()
	if _, err := s.Navigate(t.Context(), "about:blank"); err == nil {
		t.Error("about:blank is taken")
	}
	if _, err := s.Page(t.Context()); err != nil {
		t.Error(err)
	}
}

// Spares end with their browser, and when it is idle the browser does.
func TestSparesGoWithTheirBrowser(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	c := clock.NewManual(time.Now())
	p := chrometest.Provider(t, spares(2), func(o *chrome.Options) { o.Clock = c; o.Timeouts.Idle = time.Minute })
	s := openSession(t, p, browser.Options{})
	chrome.WaitFilled(p)
	pid := chrome.BrowserPID(p)
	s.Close()
	c.Advance(time.Minute)
	waitGone(t, pid)
	chrome.WaitEnded(p)
	if chrome.Spares(p) != 0 || chrome.BrowserPID(p) != 0 {
		t.Error("spares, or their browser, outlive the idle time")
	}
}

// Spares are made of memory that nobody needs, and of no session's place.
func TestSparesLeaveRoom(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	p := chrometest.Provider(t, chrome.Unmeasured, spares(4), func(o *chrome.Options) {
		o.MaxSessions, o.MaxMemory = 4, chrome.ProcessBytes+3*chrome.TabBytes
	})
	var all []browser.Session
	for i := range 4 {
		all = append(all, openSession(t, p, browser.Options{}))
		chrome.WaitFilled(p)
		if n := chrome.Spares(p); n != max(2-i, 0) {
			t.Errorf("%d open: %d spares", i+1, n)
		}
	}
	for _, s := range all {
		s.Close()
	}
}

// Fifty sessions through four: who comes too early waits.
func TestManySessionsThroughFew(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a hundred sessions")
	many := testlevel.Of(15, 50)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<title>%s</title>", r.URL.Path)
	}))
	defer srv.Close()
	p := chrometest.Provider(t, spares(2), func(o *chrome.Options) {
		o.MaxSessions, o.Timeouts.Queue, o.Settle.Linger = 4, 5*time.Minute, time.Nanosecond
	})
	var wg sync.WaitGroup
	var served atomic.Int32
	for i := range many {
		wg.Go(func() {
			s, err := p.Open(t.Context(), browser.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			path := fmt.Sprintf("/%d", i)
			if page, err := s.Navigate(t.Context(), srv.URL+path); err != nil || page.Title != path {
				t.Errorf("%s: %q, %v", path, page.Title, err)
				return
			}
			served.Add(1)
		})
	}
	wg.Wait()
	if served.Load() != int32(many) {
		t.Errorf("%d of %d served", served.Load(), many)
	}
}

func TestWaitingForASlotEnds(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Now())
	p := chrometest.Provider(t, func(o *chrome.Options) { o.MaxSessions, o.Clock = 1, c })
	defer openSession(t, p, browser.Options{}).Close()
	waiting := func(ctx context.Context) chan error {
		result := make(chan error, 1)
		go func() { _, err := p.Open(ctx, browser.Options{}); result <- err }()
		return result
	}
	ctx, cancel := context.WithCancel(t.Context())
	given := waiting(ctx)
	cancel()
	if err := <-given; !errtypes.Is(err, errtypes.Canceled) {
		t.Errorf("a caller that gives up: %v", err)
	}
	late := waiting(t.Context())
	err := error(nil)
	for err == nil { // until it waits, there is nothing that could end
		c.Advance(31 * time.Second)
		select {
		case err = <-late:
		default:
			runtime.Gosched()
		}
	}
	if !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("after the time to wait: %v", err)
	}
	closed := waiting(t.Context())
	p.Close()
	if err := <-closed; !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("when the provider closes: %v", err)
	}
}

// Spares are of memory, not of MaxSessions: sessions of another kind take the
// memory of spares, whatever else is free.
func TestSparesLeaveRoomForSessionsOfAnotherKind(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	p := chrometest.Provider(t, chrome.Unmeasured, spares(2), func(o *chrome.Options) {
		o.MaxSessions, o.Timeouts.Queue, o.MaxMemory = 3, -1, 2*chrome.ProcessBytes+3*chrome.TabBytes
	})
	first := openSession(t, p, browser.Options{})
	defer first.Close()
	for i := range 2 {
		chrome.WaitFilled(p)
		verified := openSession(t, p, browser.Options{Verified: true})
		defer verified.Close()
		chrome.WaitEnded(p)
		if n, made := chrome.Spares(p), chrome.Contexts(t, first); n != 1-i || made != 1+n {
			t.Errorf("%d verified sessions: %d spares, %d contexts", i+1, n, made)
		}
	}
	if _, err := p.Open(t.Context(), browser.Options{Verified: true}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("a fourth session: %v", err)
	}
	if n := chrome.Spares(p); n != 0 {
		t.Errorf("%d spares beside as many sessions as there is memory for", n)
	}
}
