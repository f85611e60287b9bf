package sessions

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// two are services on one file, as two processes have them.
func two(t *testing.T, o setup) (a, b *world) {
	t.Helper()
	o.dir = t.TempDir()
	return start(t, o), start(t, o)
}

// What a process knows of its sessions, another on the same data knows, too.
func TestWhatAnotherProcessKnows(t *testing.T) {
	t.Parallel()
	var last *quickSession
	a, b := two(t, setup{browser: &quickBrowser{opened: func(s *quickSession) { last = s }}, limits: Limits{MaxUpload: 5, MaxUploads: 3}})
	s := a.create(t, Create{KeepAlive: true, Settings: Settings{SolveCaptchas: true}})
	l := a.find(s.ID)
	l.observe(browser.Event{Time: noon, Tab: "T1", Method: "Page.frameNavigated", Params: []byte(`{"frame":{"id":"F"},"frameId":"F"}`)})
	here, there := must(a.Logs(t.Context(), s.ID))(t), must(b.Logs(t.Context(), s.ID))(t)
	if len(there) != 2 || there[1].FrameID != "F" || !there[1].Time.Equal(noon) || there[0].Method != here[0].Method || string(there[1].Params) != string(here[1].Params) {
		t.Errorf("%+v\n%+v", here, there)
	}
	events := func(w *world) (n int) {
		for _, e := range must(w.Recording(t.Context(), s.ID))(t) {
			if strings.Contains(string(e.Data), `"tag":"event"`) && e.SessionID == s.ID && e.Time.Equal(noon) {
				n++
			}
		}
		return n
	}
	if events(a) != 1 || events(b) != 1 {
		t.Errorf("%d, %d", events(a), events(b))
	}
	if got := must(b.Tabs(t.Context(), s.ID))(t); !reflect.DeepEqual(got, must(a.Tabs(t.Context(), s.ID))(t)) || len(got) != 2 {
		t.Errorf("%+v", got)
	}
	up := func(name, content string) error {
		return b.Upload(t.Context(), s.ID, Upload{name, strings.NewReader(content)})
	}
	if err := up("täst .txt", "hello"); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(last.offered["täst .txt"]); err != nil || string(data) != "hello" {
		t.Errorf("%q %v", data, err)
	}
	for name, c := range map[string]struct {
		err  error
		want errtypes.Kind
	}{
		"name": {up("a/b", "x"), errtypes.Invalid}, "long": {up("x", strings.Repeat("x", 1<<20)), errtypes.TooLarge},
		"third": {up("x", "x"), 0}, "too many": {up("x", "x"), errtypes.RateLimited},
	} {
		if c.want == 0 && c.err != nil || c.want != 0 && !errtypes.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	must(b.Release(t.Context(), s.ID))(t)
	if _, err := b.Tabs(t.Context(), s.ID); !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), "has ended") {
		t.Error(err)
	}
	if err := up("x", "x"); !errtypes.Is(err, errtypes.Conflict) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestAnUploadThatBreaksOffOnItsWay(t *testing.T) {
	t.Parallel()
	a, b := two(t, setup{browser: &quickBrowser{}})
	s := a.create(t, Create{KeepAlive: true})
	broken := errors.New("the caller's line broke")
	if err := b.Upload(t.Context(), s.ID, Upload{"x", failing{broken}}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// The live view and the player are served by a process that does not have the
// session.
func TestWatchingASessionOfAnotherProcess(t *testing.T) {
	t.Parallel()
	a, b := two(t, setup{browser: &quickBrowser{}})
	s := a.create(t, Create{KeepAlive: true})
	front := httptest.NewServer(b.Handler())
	defer front.Close()
	conn := connect(t, strings.Replace(LiveURL("ws"+strings.TrimPrefix(front.URL, "http"), s.ID, s.ViewToken), "/live?", "/live/socket?", 1))
	for frame := false; !frame; {
		kind, _, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		frame = kind == websocket.MessageBinary
	}
	for range 100 { // until the first frame is recorded
		res, body := get(t, strings.Replace(ReplayURL(front.URL, s.ID, s.ViewToken), "/replay?", "/replay/events?", 1))
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%d %s", res.StatusCode, body)
		}
		if strings.Contains(body, `"data":"`) {
			return
		}
	}
	t.Error("the other process shows no frame")
}

// The way between processes is closed to who has only the keys of a session.
func TestOnlyProcessesOnTheSameDataAreToldMore(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s, other := w.create(t, Create{}), w.create(t, Create{})
	for _, authorization := range []string{"", peerScheme, peerScheme + s.SigningKey, peerScheme + s.ViewToken, peerScheme + w.peerKey(other.ID), "Bearer " + w.peerKey(s.ID)} {
		req := must(http.NewRequest("GET", baseOfSession(s)+peerPath(s.ID, "logs")+"?"+KeyParameter+"="+s.SigningKey+"&"+ViewParameter+"="+s.ViewToken, nil))(t)
		req.Header.Set("Authorization", authorization)
		if res, body := send(t, req); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("%q: %d %s", authorization, res.StatusCode, body)
		}
	}
}
