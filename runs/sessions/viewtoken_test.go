package sessions

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// baseOfSession is the loopback endpoint of a session.
func baseOfSession(s Session) string {
	return "http" + strings.TrimPrefix(strings.Split(s.ConnectURL, "/v1")[0], "ws")
}

// A view token shows, and neither drives nor shows another session.
func TestAViewTokenOnlyShows(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s, other := w.create(t, Create{KeepAlive: true}), w.create(t, Create{KeepAlive: true})
	base := baseOfSession(s)
	with := func(path, query string) string { return base + path + "?" + query }
	token, key := ViewParameter+"="+s.ViewToken, KeyParameter+"="+s.SigningKey
	for url, want := range map[string]int{
		with(ConnectPath(s.ID), token):                                          401,
		with(ConnectPath(s.ID), KeyParameter+"="+s.ViewToken):                   401,
		with(ConnectPath(s.ID)+"/json/version", token):                          401,
		with(LivePath(s.ID), token):                                             200,
		with(LivePath(s.ID), key):                                               200,
		with(LivePath(s.ID), token+"&"+token):                                   401,
		with(LivePath(s.ID), token+"x"):                                         401,
		with(LivePath(s.ID), ViewParameter+"="+strings.ToUpper(s.ViewToken)):    401,
		with(LivePath(s.ID), ViewParameter+"=zzzzzz"+s.ViewToken[6:]):           401, // later
		with(LivePath(s.ID), ""):                                                401,
		with(LivePath(other.ID), token):                                         401,
		with(ReplayPath(s.ID), token):                                           200,
		with(ReplayPath(s.ID)+"/events", token):                                 200,
		with(ReplayPath(s.ID)+"/events", ViewParameter+"=."):                    401,
		with(ReplayPath("0198c0de-0000-7000-8000-000000000000"), token):         401,
		with(strings.Replace(LivePath(s.ID), "/live", "/live/socket", 1), ""):   401,
		with(strings.Replace(LivePath(s.ID), "/live", "/live/nothing", 1), key): 404,
	} {
		if res, body := get(t, url); res.StatusCode != want {
			t.Errorf("%s: %d %s", url, res.StatusCode, body)
		}
	}
	must(w.Release(t.Context(), s.ID))(t)
	for url, want := range map[string]int{
		with(LivePath(s.ID), token): 410, with(ReplayPath(s.ID), token): 200, with(ReplayPath(s.ID)+"/events", token): 200,
		with(ReplayPath(s.ID), key): 410, with(ReplayPath(s.ID)+"/events", key): 410,
	} {
		if res, body := get(t, url); res.StatusCode != want {
			t.Errorf("after its end: %s: %d %s", url, res.StatusCode, body)
		}
	}
}

func TestAViewTokenExpires(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	w := start(t, setup{browser: &quickBrowser{}, clock: c, limits: Limits{MaxViewTime: time.Hour, PingInterval: 24 * time.Hour}})
	s := w.create(t, Create{KeepAlive: true, Timeout: 3 * time.Hour})
	for _, life := range []time.Duration{-1, time.Millisecond, time.Hour + time.Second} {
		if _, err := w.ViewToken(t.Context(), s.ID, life, false); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%v: %v", life, err)
		}
	}
	if _, err := w.ViewToken(t.Context(), "x", 0, false); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	short := must(w.ViewToken(t.Context(), s.ID, time.Minute, false))(t)
	base := baseOfSession(s)
	socket := "ws" + strings.TrimPrefix(strings.Replace(LiveURL(base, s.ID, short), "/live?", "/live/socket?", 1), "http")
	watching := connect(t, socket)
	if _, _, err := watching.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Minute)
	if closed := gone(t, watching); closed.Code != websocket.StatusPolicyViolation || !strings.Contains(closed.Reason, "expired") {
		t.Errorf("%v", closed)
	}
	if res, body := get(t, LiveURL(base, s.ID, short)); res.StatusCode != 401 || !strings.Contains(body, `"message":"this link has expired`) {
		t.Errorf("to a program: %d %s", res.StatusCode, body)
	}
	req := must(http.NewRequest("GET", LiveURL(base, s.ID, short), nil))(t)
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	res, body := send(t, req)
	if res.StatusCode != 401 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") || !strings.Contains(body, "this link has expired") {
		t.Errorf("%d %v %s", res.StatusCode, res.Header, body)
	}
	if policy := res.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(body, "NONCE") {
		t.Errorf("%s\n%s", policy, body)
	}
	if _, res, err := dial(t, socket, nil); err == nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("%v %v", res, err)
	}
	if res, _ := get(t, LiveURL(base, s.ID, s.ViewToken)); res.StatusCode != 200 {
		t.Errorf("the other: %d", res.StatusCode)
	}
	c.Advance(time.Hour)
	if res, _ := get(t, ReplayURL(base, s.ID, s.ViewToken)); res.StatusCode != 401 {
		t.Errorf("the other, later: %d", res.StatusCode)
	}
}
