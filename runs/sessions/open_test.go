package sessions

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// A host drives a session without a client, beside others that have it.
func TestAHostDrivesASession(t *testing.T) {
	t.Parallel()
	site := serveHTML(t, `<title>Form</title><label>Name <input id=name></label><button onclick="document.title = document.getElementById('name').value">Send</button>`)
	each(t, setup{browser: chrometest.Provider(t)}, func(t *testing.T, w *world) {
		b := must(w.Open(t.Context(), Create{Settings: Settings{NoRecording: true}}))(t)
		defer b.Close()
		must(b.Navigate(t.Context(), site))(t)
		snap := must(b.Snapshot(t.Context()))(t)
		second := must(w.Attach(t.Context(), b.ID()))(t)
		must(second.Type(t.Context(), snap.Find("textbox", "name"), "Ada", browser.TypeOptions{}))(t)
		if page := must(b.Click(t.Context(), snap.Find("button", "Send")))(t); page.Title != "Ada" {
			t.Errorf("%+v", page)
		}
		_, err := b.Click(t.Context(), snap.Find("button", "Post"))
		var stale *browser.StaleError
		if !errors.As(err, &stale) || !strings.Contains(err.Error(), `no button "Post" on the page; there are button "Send"`) {
			t.Error(err)
		}
		if err := second.Close(); err != nil {
			t.Error(err)
		}
		if s := must(b.Record(t.Context()))(t); s.Status != Running || s.ID != b.ID() || s.ConnectURL == "" {
			t.Errorf("after the other has left: %+v", s)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if s := must(b.Record(t.Context()))(t); s.Status != Completed {
			t.Errorf("%+v", s)
		}
		if _, err := w.Attach(t.Context(), b.ID()); !errtypes.Is(err, errtypes.Conflict) {
			t.Error(err)
		}
		if _, err := second.Page(t.Context()); !errtypes.Is(err, errtypes.Gone) {
			t.Error(err)
		}
	})
}

// What a host opens is bounded like what its callers create, and waits for nobody.
func TestWhatBoundsTheSessionOfAHost(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	w := start(t, setup{browser: &quickBrowser{}, clock: c, limits: Limits{PerProject: 1}})
	b := must(w.Open(t.Context(), Create{}))(t)
	if _, err := w.Open(t.Context(), Create{}); !errtypes.Is(err, errtypes.RateLimited) {
		t.Error(err)
	}
	for _, bad := range []Create{{Timeout: time.Second}, {Region: "mars"}} {
		if _, err := w.Open(t.Context(), bad); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if _, err := w.Open(t.Context(), Create{ProjectID: "another"}); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	if _, err := w.Attach(t.Context(), "none"); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	c.Advance(w.Limits().ConnectTimeout + time.Second)
	if s := must(b.Record(t.Context()))(t); s.Status != Running {
		t.Errorf("nobody has connected, and nobody has to: %+v", s)
	}
	c.Advance(w.Limits().DefaultTimeout)
	if s := must(w.Wait(t.Context(), b.ID()))(t); s.Status != TimedOut {
		t.Errorf("%+v", s)
	}
	if err := b.Err(); !errtypes.Is(err, errtypes.Gone) {
		t.Error(err)
	}
	w.StopAccepting()
	if _, err := w.Open(t.Context(), Create{}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
}

func serveHTML(t *testing.T, html string) (url string) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, html)
	}))
	t.Cleanup(site.Close)
	return site.URL
}
