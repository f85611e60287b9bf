package sessions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// hueOf is the colour of the middle of a frame.
func hueOf(data []byte) string {
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return err.Error()
	}
	switch r, _, b, _ := m.At(m.Bounds().Dx()/2, m.Bounds().Dy()/2).RGBA(); {
	case r > 0xe000 && b < 0x2000:
		return "red"
	case b > 0xe000 && r < 0x2000:
		return "blue"
	}
	return "another"
}

// filmed drives a session through pages of colours and returns its recording
// with the time at which each was first seen.
func filmed(t *testing.T, provider browser.Provider, colours ...string) (recording []RecordingEvent, at []int64) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<body style="background: %s">`, strings.TrimPrefix(r.URL.Path, "/"))
	}))
	defer site.Close()
	w := start(t, setup{browser: provider, limits: Limits{FrameInterval: 20 * time.Millisecond}})
	s := w.create(t, Create{KeepAlive: true, Settings: Settings{Viewport: Viewport{600, 400}}})
	l := w.find(s.ID)
	for i, colour := range colours {
		if _, err := l.browser.Navigate(t.Context(), site.URL+"/"+colour+"?n="+fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
		for len(at) == i { // until the test's own time is over
			recording = l.rec.all()
			for _, e := range recording {
				p, ok := e.picture()
				if ok && hueOf(p.Data) == colour && (i == 0 || e.Time.UnixMilli() > at[i-1]) {
					at = append(at, e.Time.UnixMilli())
					break
				}
			}
		}
	}
	must(w.Release(t.Context(), s.ID))(t)
	return must(w.Recording(t.Context(), s.ID))(t), at
}

// The players of rrweb, unmodified, play the recording of a real session: they
// show at each time the page that was there, and complain of nothing.
func TestPlayersPlayTheRecording(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a recording is played by another player in a browser")
	dir := npmtest.Dir(t, "npm")
	provider := chrometest.Provider(t)
	recording, at := filmed(t, provider, "red", "blue", "red")
	body := must(json.Marshal(Wire(recording)))(t)
	page := must(os.ReadFile("npm/play.html"))(t)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch file := filepath.Join(dir, "node_modules", strings.TrimPrefix(r.URL.Path, "/player/")); {
		case r.URL.Path == "/recording":
			_, _ = w.Write(body)
		case strings.HasSuffix(file, ".css"):
			w.Header().Set("Content-Type", "text/css")
			http.ServeFile(w, r, file)
		case strings.HasSuffix(file, "js"):
			w.Header().Set("Content-Type", "text/javascript")
			http.ServeFile(w, r, file)
		default:
			_, _ = w.Write(page)
		}
	}))
	defer front.Close()
	for _, with := range []string{"player", "replayer"} {
		viewer := must(provider.Open(t.Context(), browser.Options{Width: 1000, Height: 800}))(t)
		query := url.Values{"with": {with}}
		for _, ms := range at {
			query.Add("at", fmt.Sprint(ms+1))
		}
		if _, err := viewer.Navigate(t.Context(), front.URL+"/?"+query.Encode()); err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{1, 0, 2, 1} {
			press(t, viewer, "Show "+query["at"][i])
			until(t.Context(), t, viewer, []string{"red", "blue", "red"}[i])
		}
		press(t, viewer, "Begin")
		for !strings.Contains(said(t, viewer), "played to the end") {
			if t.Context().Err() != nil {
				t.Fatal(said(t, viewer))
			}
		}
		until(t.Context(), t, viewer, "red")
		if text := said(t, viewer); text != "played to the end" {
			t.Errorf("%s: %s", with, text)
		}
		viewer.Close()
	}
}

// said is what the page says of itself.
func said(t *testing.T, viewer browser.Session) string {
	t.Helper()
	for _, e := range must(viewer.Snapshot(t.Context()))(t).Elements {
		if strings.Contains(e.Name, "played") || strings.Contains(e.Name, "failed") || strings.Contains(e.Name, "ready") {
			return e.Name
		}
	}
	return ""
}
