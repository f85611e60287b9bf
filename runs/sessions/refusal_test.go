package sessions

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// asBrowser opens an address as a browser does.
func asBrowser(t *testing.T, url string) (status int, page string) {
	t.Helper()
	req := must(http.NewRequestWithContext(t.Context(), "GET", url, nil))(t)
	req.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	res := must(http.DefaultClient.Do(req))(t)
	defer res.Body.Close()
	body := must(io.ReadAll(res.Body))(t)
	if kind := res.Header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("%s: %s\n%s", url, kind, body)
	}
	return res.StatusCode, string(body)
}

// Whoever follows a link that leads nowhere reads what is wrong with it and what
// can be done, on a page.
func TestABadLinkGetsAPageWithAdvice(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	w := start(t, setup{browser: &quickBrowser{}, clock: c, limits: Limits{MaxTimeout: 100 * time.Hour, DefaultTimeout: 100 * time.Hour}})
	s, gone, deleted := w.create(t, Create{KeepAlive: true}), w.create(t, Create{KeepAlive: true}), "0198c0de-0000-7000-8000-000000000000"
	base, short := baseOfSession(s), must(w.ViewToken(t.Context(), s.ID, time.Minute, false))(t)
	must(w.Release(t.Context(), gone.ID))(t)
	c.Advance(2 * time.Minute)

	for _, page := range []func(id string) string{LivePath, ReplayPath} {
		for what, test := range map[string]struct {
			id, token string
			status    int
			heading   string
			advice    string
		}{
			"no token":            {s.ID, "", 401, "This link opens nothing", "Ask whoever sent you"},
			"a malformed token":   {s.ID, "<b>", 401, "This link opens nothing", "Ask whoever sent you"},
			"a cut token":         {s.ID, s.ViewToken[:20], 401, "This link opens nothing", "Ask whoever sent you"},
			"another's token":     {s.ID, gone.ViewToken, 401, "This link opens nothing", "belongs to another session"},
			"an expired token":    {s.ID, short, 401, "This link has expired", "drover sessions live"},
			"a session that went": {deleted, w.newViewToken(t.Context(), deleted), 404, "There is no such session", "deleted some time after"},
			"no session":          {"%3Cb%3E", s.ViewToken, 401, "This link opens nothing", "Ask whoever sent you"},
		} {
			status, got := asBrowser(t, base+page(test.id)+"?"+ViewParameter+"="+test.token)
			if status != test.status || !strings.Contains(got, "<h1>"+test.heading+"</h1>") || !strings.Contains(got, test.advice) || strings.Contains(got, "<b>") {
				t.Errorf("%s with %s: %d\n%s", page("ID"), what, status, got)
			}
		}
	}
	status, got := asBrowser(t, LiveURL(base, gone.ID, gone.ViewToken))
	if status != 410 || !strings.Contains(got, "<h1>The session has ended</h1>") || !strings.Contains(got, "replayUrl") {
		t.Errorf("an ended session: %d\n%s", status, got)
	}
}
