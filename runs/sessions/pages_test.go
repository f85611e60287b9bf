package sessions

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
)

// A tab is shown until another one comes; what is no picture shows nothing.
func TestRecordedPages(t *testing.T) {
	t.Parallel()
	at := func(seconds int) time.Time { return time.Unix(1_000_000+int64(seconds), 0) }
	frame := func(seconds int, tab string) RecordingEvent {
		return RecordingEvent{customEvent, at(seconds), "s", still{at: at(seconds), frame: browser.Frame{Tab: tab, Data: picture()}}.data()}
	}
	note := RecordingEvent{customEvent, at(2), "s", json.RawMessage(`{"tag":"event","payload":{"data":"QQ=="}}`)}
	got := recordedPages([]RecordingEvent{frame(1, "A"), note, frame(3, "B"), frame(4, "B"), frame(7, "A"), frame(8, "A")}, at(20))
	var all []string
	for _, p := range got {
		var stays []time.Duration
		for _, s := range p.stays {
			stays = append(stays, s.For)
		}
		all = append(all, fmt.Sprintf("%s %v %v %v", p.ID, p.Start.Sub(at(0)), p.End.Sub(at(0)), stays))
	}
	if want := []string{"0 1s 20s [2s 1s 12s]", "1 3s 7s [1s 3s]"}; !slices.Equal(all, want) {
		t.Errorf("%q, want %q", all, want)
	}
	if pages := recordedPages(nil, at(1)); pages == nil || len(pages) != 0 {
		t.Errorf("%v", pages)
	}
}

// A film is for who may look at the recording, and for nobody else.
func TestAFilmNeedsAToken(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s, other := w.create(t, Create{KeepAlive: true}), w.create(t, Create{KeepAlive: true})
	w.find(s.ID).rec.frame(browser.Frame{Data: picture()})
	must(w.Release(t.Context(), s.ID))(t)
	base := baseOfSession(s)
	res := must(http.Get(FilmURL(base, s.ID, "0", s.ViewToken)))(t)
	defer res.Body.Close()
	film := string(must(io.ReadAll(res.Body))(t))
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "video/mp4" || !strings.Contains(film, string(picture())) {
		t.Errorf("%d %s, %d bytes", res.StatusCode, res.Header.Get("Content-Type"), len(film))
	}
	for url, want := range map[string]int{
		FilmURL(base, s.ID, "1", s.ViewToken):                                404,
		FilmURL(base, s.ID, "-1", s.ViewToken):                               404,
		FilmURL(base, s.ID, "0", ""):                                         401,
		FilmURL(base, other.ID, "0", s.ViewToken):                            401,
		base + filmPath(s.ID, "0") + "?" + KeyParameter + "=" + s.SigningKey: 410,
	} {
		if res, body := get(t, url); res.StatusCode != want {
			t.Errorf("%s: %d %s", url, res.StatusCode, body)
		}
	}
}
