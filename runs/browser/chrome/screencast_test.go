package chrome_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

const movingPage = `<title>Moving</title><body><p id=p>x</p><a href=/next target=_blank rel=opener>Open</a><button onclick="window.close()">Close</button>
<script>let n = 0; (function step() { document.querySelector('#p').textContent = n++; requestAnimationFrame(step) })()</script>`

// watch runs a screencast; frames come to the channel. The result is that of
// the screencast.
func watch(t *testing.T, s browser.Session, o browser.ScreencastOptions) (frames chan browser.Frame, stop context.CancelFunc, result chan error) {
	frames, result = make(chan browser.Frame), make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		result <- s.Screencast(ctx, o, func(f browser.Frame) error {
			select {
			case frames <- f:
			case <-ctx.Done():
			}
			return nil
		})
	}()
	t.Cleanup(cancel)
	return frames, cancel, result
}

// colour is that of a frame's corner, as r, g or b, and the frame's size.
func colour(t *testing.T, f browser.Frame) (string, image.Point) {
	t.Helper()
	img, format, err := image.Decode(bytes.NewReader(f.Data))
	if err != nil || format != "jpeg" {
		t.Fatalf("%s %v", format, err)
	}
	size := img.Bounds().Size()
	r, g, b, _ := img.At(size.X-5, size.Y-5).RGBA()
	switch {
	case r > 0xc000 && g < 0x3000:
		return "red", size
	case b > 0xc000 && g < 0x3000:
		return "blue", size
	}
	return "other", size
}

// until reads frames until one has the colour.
func until(t *testing.T, frames chan browser.Frame, want string) (f browser.Frame) {
	t.Helper()
	inLimit(t, "a "+want+" frame", time.Minute, func() { // a busy machine makes few
		for f = range frames {
			if got, _ := colour(t, f); got == want {
				return
			}
		}
	})
	return f
}

func movingSite(t *testing.T) map[string]string {
	return map[string]string{
		"/":      `<style>body{background:rgb(255,0,0)}</style>` + movingPage,
		"/next":  `<style>body{background:rgb(0,0,255)}</style>` + movingPage,
		"/still": `<body style="background:rgb(0,0,255)"><p>still</p>`,
	}
}

func TestScreencastsFollowTheTabs(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "screencasts wait for frames")
	srv := pages(t, movingSite(t))
	s := chrometest.Session(t, chrometest.Provider(t))
	navigate(t, s, srv.URL+"/")
	frames, stop, result := watch(t, s, browser.ScreencastOptions{})
	first := until(t, frames, "red")
	if first.Width != 1280 || first.Height != 800 || first.Tab != s.Tabs()[0].ID || first.Time.IsZero() {
		t.Errorf("%+v", first.Tab)
	}
	go func() { // frames are read on
		s.Click(t.Context(), ref(t, s, "Open"))
	}()
	second := until(t, frames, "blue")
	if second.Tab == first.Tab {
		t.Error("the second tab has the id of the first")
	}
	pinned, unpin, pinnedResult := watch(t, s, browser.ScreencastOptions{Tab: second.Tab, MaxWidth: 640})
	until(t, pinned, "blue")
	pages := drain(pinned)
	closed := make(chan struct{})
	go func() { defer close(closed); s.Click(t.Context(), ref(t, s, "Close")) }()
	back := until(t, frames, "red")
	if back.Tab != first.Tab {
		t.Error("the first tab is not shown again")
	}
	more := drain(frames)
	<-closed
	if err := <-pinnedResult; !errtypes.Is(err, errtypes.BadGateway) {
		t.Errorf("the closed tab's: %v", err)
	}
	unpin()
	stop()
	if err := <-result; err != nil {
		t.Errorf("stopped: %v", err)
	}
	close(pinned)
	close(frames)
	pages()
	more()
}

// drain reads on until the channel is closed; the result waits for that.
func drain(frames chan browser.Frame) (wait func()) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for range frames {
		}
	})
	return wg.Wait
}

func TestScreencastsShareOne(t *testing.T) {
	t.Parallel()
	srv := pages(t, movingSite(t))
	s := open(t)
	navigate(t, s, srv.URL+"/still")
	first, stopFirst, firstResult := watch(t, s, browser.ScreencastOptions{})
	until(t, first, "blue")
	again, stopAgain, againResult := watch(t, s, browser.ScreencastOptions{}) // the page is at rest
	until(t, again, "blue")
	if n := chrome.Casts(s); n != 1 {
		t.Errorf("%d screencasts run", n)
	}
	stopFirst()
	if err := <-firstResult; err != nil {
		t.Error(err)
	}
	failed := errors.New("full")
	if err := s.Screencast(t.Context(), browser.ScreencastOptions{}, func(browser.Frame) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("show fails: %v", err)
	}
	stopAgain()
	if err := <-againResult; err != nil {
		t.Error(err)
	}
	small, stopSmall, _ := watch(t, s, browser.ScreencastOptions{MaxWidth: 320, MaxHeight: 200, Quality: 20})
	soon(t, "a small frame", func() { // the first may be what the others saw last
		for f := range small {
			if _, size := colour(t, f); size.X <= 320 && size.Y <= 200 {
				return
			}
		}
	})
	stopSmall()
	for _, o := range []browser.ScreencastOptions{{Quality: 101}, {MaxWidth: -1}, {MaxHeight: 10001}} {
		if err := s.Screencast(t.Context(), o, nil); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := s.Screencast(t.Context(), browser.ScreencastOptions{Tab: "none"}, nil); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("no such tab: %v", err)
	}
}

func TestScreencastsThroughCrashes(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "screencasts wait for frames")
	srv := pages(t, movingSite(t))
	p := chrometest.Provider(t)
	s := chrometest.Session(t, p)
	navigate(t, s, srv.URL+"/")
	frames, _, result := watch(t, s, browser.ScreencastOptions{})
	until(t, frames, "red")
	chrome.CrashPage(t, s)
	go s.Navigate(t.Context(), srv.URL+"/next")
	until(t, frames, "blue")
	more := drain(frames)
	syscall.Kill(chrome.BrowserPID(p), syscall.SIGKILL)
	soon(t, "a screencast of a dead browser", func() {
		if err := <-result; !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("%v", err)
		}
	})
	close(frames)
	more()
}

// A page is shown although Chromium makes no frames any more.
func TestAScreencastThatHasStoppedShowsTheNextPage(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "screencasts wait for frames")
	srv := pages(t, map[string]string{"/red": `<body style="background: red">`, "/blue": `<body style="background: blue">`})
	s := chrometest.Session(t, chrometest.Provider(t))
	navigate(t, s, srv.URL+"/red")
	frames, _, _ := watch(t, s, browser.ScreencastOptions{})
	until(t, frames, "red")
	chrome.StopScreencast(t, s)
	navigate(t, s, srv.URL+"/blue")
	until(t, frames, "blue")
}
