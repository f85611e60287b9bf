package sessions

import (
	"context"
	"image/color"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// The player goes by keys, also while a line of the log has the focus: Space plays
// and pauses, arrows seek, and the words beside it go along.
func TestThePlayerGoesByKeys(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a recording is played")
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{Settings: Settings{StepsOnly: true}, KeepAlive: true})
	l := w.find(s.ID)
	c := clock.NewManual(noon)
	l.rec.clock = c
	l.rec.frame(browser.Frame{Tab: "T1", Data: plain(t, color.RGBA{255, 0, 0, 255})})
	c.Advance(10 * time.Second)
	l.rec.step(map[string]string{"tool": "click", "output": "Clicked the lamp."})
	c.Advance(10 * time.Second)
	l.rec.frame(browser.Frame{Tab: "T1", Data: plain(t, color.RGBA{0, 0, 255, 255})})
	front := httptest.NewServer(w.Handler())
	defer front.Close()
	viewer := must(chrometest.Provider(t).Open(t.Context(), browser.Options{}))(t)
	client := newInside()
	over := make(chan error, 1)
	go func() { over <- viewer.Serve(t.Context(), client) }()
	defer func() { viewer.Close(); <-over }()
	must(viewer.Navigate(t.Context(), ReplayURL(front.URL, s.ID, s.ViewToken)))(t)
	at := must(client.attach(t.Context(), viewer.Tabs()[0].ID))(t)
	key := func(name string) {
		t.Helper()
		down := map[string]any{"type": "rawKeyDown", "key": name, "code": name, "windowsVirtualKeyCode": 32}
		if name == " " {
			down = map[string]any{"type": "keyDown", "key": name, "code": "Space", "text": " ", "windowsVirtualKeyCode": 32}
		}
		for _, params := range []map[string]any{down, {"type": "keyUp", "key": name, "code": down["code"], "windowsVirtualKeyCode": 32}} {
			if err := client.call(t.Context(), at, "Input.dispatchKeyEvent", params, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	shows := func(name string) {
		t.Helper()
		for t.Context().Err() == nil {
			elements := must(viewer.Snapshot(t.Context()))(t).Elements
			if slices.ContainsFunc(elements, func(e browser.Element) bool { return strings.Contains(e.Name, name) }) {
				return
			}
		}
	}
	shows("0:00 / 0:20")
	key("ArrowRight")
	shows("0:05 / 0:20")
	key("ArrowLeft")
	shows("0:00 / 0:20")
	press(t, viewer, "Clicked the lamp.")
	shows("0:10 / 0:20")
	key("s") // else it might be at the end before it is looked at
	key(" ")
	shows("Pause")
	key(" ")
	shows("Play")
	key("End")
	until(t.Context(), t, viewer, "blue")
	key("ArrowUp")
	shows("0:10 / 0:20")
	until(t.Context(), t, viewer, "red")
	var current struct {
		Result struct{ Value string }
	}
	if err := client.call(t.Context(), at, "Runtime.evaluate", map[string]any{"expression": `document.querySelector('[aria-current="true"]').textContent`}, &current); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(current.Result.Value, "Clicked the lamp.") {
		t.Error(current.Result.Value)
	}
}

// named waits for an element of the page; the test's own time bounds it.
func named(t *testing.T, viewer browser.Session, name string) (found browser.Element) {
	t.Helper()
	form := regexp.MustCompile(name)
	for {
		elements := must(viewer.Snapshot(t.Context()))(t).Elements
		if i := slices.IndexFunc(elements, func(e browser.Element) bool { return form.MatchString(e.Name) }); i >= 0 {
			return elements[i]
		}
	}
}

// A time in which nothing happens is passed over, unless that is switched off, and
// the page says which keys there are.
func TestThePlayerSkipsRests(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it watches a recording for a while")
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{Settings: Settings{StepsOnly: true}, KeepAlive: true})
	l := w.find(s.ID)
	c := clock.NewManual(noon)
	l.rec.clock = c
	l.rec.frame(browser.Frame{Tab: "T1", Data: plain(t, color.RGBA{255, 0, 0, 255})})
	c.Advance(time.Hour)
	l.rec.frame(browser.Frame{Tab: "T1", Data: plain(t, color.RGBA{0, 0, 255, 255})})
	front := httptest.NewServer(w.Handler())
	defer front.Close()
	viewer := must(chrometest.Provider(t).Open(t.Context(), browser.Options{}))(t)
	defer viewer.Close()
	must(viewer.Navigate(t.Context(), ReplayURL(front.URL, s.ID, s.ViewToken)))(t)
	until(t.Context(), t, viewer, "red")
	named(t, viewer, "plays and pauses")
	press(t, viewer, "Play")
	soon, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	until(soon, t, viewer, "blue")
	must(viewer.Click(t.Context(), named(t, viewer, "^Skip rests").Ref))(t)
	press(t, viewer, "Play") // from the beginning, and now to where the rest began before
	named(t, viewer, "^0:(0[2-9]|[1-5][0-9]) / 1:00:00")
}
