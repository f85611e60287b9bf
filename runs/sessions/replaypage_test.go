package sessions

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/projects"
)

// plain is a JPEG of one colour.
func plain(t *testing.T, c color.RGBA) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for i := range 64 * 48 {
		m.Set(i%64, i/64, c)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// colour is that of the middle of what a viewer's screen shows of the player.
func colour(t *testing.T, viewer browser.Session) string {
	t.Helper()
	shot := must(viewer.Screenshot(t.Context(), browser.ScreenshotOptions{Clip: &browser.Clip{X: 0, Y: 0, Width: 900, Height: 700}}))(t)
	m, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	var red, blue int
	for y := 0; y < 700; y += 2 {
		for x := 0; x < 900; x += 2 {
			switch r, g, b, _ := m.At(x, y).RGBA(); {
			case r > 0xe000 && g < 0x2000 && b < 0x2000:
				red++
			case b > 0xe000 && r < 0x2000 && g < 0x2000:
				blue++
			}
		}
	}
	switch {
	case red > 500 && blue == 0:
		return "red"
	case blue > 500 && red == 0:
		return "blue"
	}
	return fmt.Sprint(red, " red ", blue, " blue")
}

// press clicks the element of the page whose name contains the words.
func press(t *testing.T, viewer browser.Session, words string) {
	t.Helper()
	for {
		seen := must(viewer.Snapshot(t.Context()))(t)
		i := slices.IndexFunc(seen.Elements, func(e browser.Element) bool {
			return e.Role == "button" && strings.Contains(e.Name, words) && !e.Disabled
		})
		if i < 0 {
			continue // until the test's own time is over
		}
		if _, err := viewer.Click(t.Context(), seen.Elements[i].Ref); err != nil {
			t.Fatal(err)
		}
		return
	}
}

// The player in a real browser shows the frames of a session that has ended,
// jumps to a step, plays to the end, and what a page calls itself stays text.
func TestThePlayerInChromium(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a recording is played")
	w := start(t, setup{browser: &quickBrowser{}})
	project := must(w.projects.Get(t.Context(), projects.Default))(t)
	own := must(w.OpenFor(t.Context(), project.ID, Create{Settings: Settings{StepsOnly: true}}))(t)
	l := w.find(own.ID())
	c := clock.NewManual(noon)
	l.rec.clock = c
	l.rec.frame(browser.Frame{Tab: "T1", Data: plain(t, color.RGBA{255, 0, 0, 255})})
	c.Advance(4 * time.Second)
	own.(*held).Step(map[string]any{"tool": "click", "output": "<img src=x onerror=alert(1)>", "input": map[string]string{"ref": "e1"}})
	l.rec.frame(browser.Frame{Tab: "T1", Data: plain(t, color.RGBA{0, 0, 255, 255})})
	if err := own.Close(); err != nil {
		t.Fatal(err)
	}
	s := must(w.Get(t.Context(), own.ID()))(t)
	front := httptest.NewServer(w.Handler())
	defer front.Close()
	viewer := must(chrometest.Provider(t).Open(t.Context(), browser.Options{}))(t)
	defer viewer.Close()
	if page, err := viewer.Navigate(t.Context(), ReplayURL(front.URL, s.ID, s.ViewToken)); err != nil || page.Title != "Recording" || page.Status != http.StatusOK {
		t.Fatalf("%+v, %v", page, err)
	}
	until(t.Context(), t, viewer, "red")
	press(t, viewer, "<img src=x onerror=alert(1)>")
	until(t.Context(), t, viewer, "blue")
	press(t, viewer, "Play") // from the beginning again
	until(t.Context(), t, viewer, "red")
	until(t.Context(), t, viewer, "blue")
	press(t, viewer, "Play") // it has stopped at the end
	if page, err := viewer.Page(t.Context()); err != nil || len(page.Dialogs) > 0 {
		t.Errorf("%+v, %v", page, err)
	}
}

// until waits until a colour is shown; the test's own time bounds it.
func until(ctx context.Context, t *testing.T, viewer browser.Session, want string) {
	t.Helper()
	for got := ""; got != want; got = colour(t, viewer) {
		if ctx.Err() != nil {
			t.Fatalf("it shows %s, want %s", got, want)
		}
	}
}
