package sessions

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// dial connects a client; the answer says why it could not.
func dial(t *testing.T, rawURL string, header http.Header) (*websocket.Conn, *http.Response, error) {
	t.Helper()
	conn, res, err := websocket.Dial(t.Context(), rawURL, &websocket.DialOptions{HTTPHeader: header})
	if err == nil {
		conn.SetReadLimit(1 << 20)
		t.Cleanup(func() { conn.CloseNow() })
	}
	return conn, res, err
}

func connect(t *testing.T, rawURL string) *websocket.Conn {
	t.Helper()
	conn, _, err := dial(t, rawURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// echo holds that both ways are open.
func echo(t *testing.T, conn *websocket.Conn, message string) {
	t.Helper()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
		t.Fatal(err)
	}
	if _, data, err := conn.Read(t.Context()); err != nil || string(data) != message {
		t.Fatalf("%q, %v", data, err)
	}
}

// gone waits until the other side has closed, and returns its words.
func gone(t *testing.T, conn *websocket.Conn) websocket.CloseError {
	t.Helper()
	for {
		_, _, err := conn.Read(t.Context())
		var closed websocket.CloseError
		if errors.As(err, &closed) {
			return closed
		}
		if err != nil {
			t.Fatalf("it ended without a word: %v", err)
		}
	}
}

func TestTheLastClientTakesTheSessionWithIt(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{})
	a, b := connect(t, s.ConnectURL), connect(t, s.ConnectURL)
	echo(t, a, "1")
	echo(t, b, strings.Repeat("x", 100_000))
	a.Close(websocket.StatusNormalClosure, "")
	echo(t, b, "2")
	b.CloseNow()
	w.ended(t, s.ID, Completed, "")
}

func TestASessionThatIsKeptAlive(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{KeepAlive: true})
	for range 3 {
		conn := connect(t, s.ConnectURL)
		echo(t, conn, "1")
		conn.Close(websocket.StatusNormalClosure, "")
	}
	conn := connect(t, s.ConnectURL)
	echo(t, conn, "still there")
	released := make(chan error, 1)
	go func() { _, err := w.Release(t.Context(), s.ID); released <- err }()
	if closed := gone(t, conn); closed.Code != websocket.StatusGoingAway {
		t.Errorf("%v", closed)
	}
	if err := <-released; err != nil {
		t.Fatal(err)
	}
}

func TestAClientThatIsSilent(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	w := start(t, setup{browser: &quickBrowser{}, clock: c, limits: Limits{PingInterval: time.Hour}})
	s := w.create(t, Create{Timeout: time.Hour})
	conn := connect(t, s.ConnectURL)
	echo(t, conn, "1")
	c.Advance(9 * time.Minute)
	echo(t, conn, "2") // which begins the wait anew
	c.Advance(9 * time.Minute)
	echo(t, conn, "3")
	c.Advance(10 * time.Minute)
	if closed := gone(t, conn); closed.Code != websocket.StatusPolicyViolation {
		t.Errorf("%v", closed)
	}
	w.ended(t, s.ID, Completed, "")
}

func TestWhoMayNotConnect(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}, limits: Limits{MaxClients: 1}})
	s, other := w.create(t, Create{KeepAlive: true}), w.create(t, Create{KeepAlive: true})
	here := strings.Replace(s.ConnectURL, "127.0.0.1", "localhost", 1)
	page := http.Header{"Origin": {"http://" + strings.Split(s.ConnectURL, "/")[2]}}
	bare, _, _ := strings.Cut(s.ConnectURL, "?")
	for name, c := range map[string]struct {
		url    string
		header http.Header
		want   int
	}{
		"no key":        {bare, nil, 401},
		"wrong key":     {bare + "?signingKey=x", nil, 401},
		"two keys":      {s.ConnectURL + "&signingKey=" + s.SigningKey, nil, 401},
		"other's key":   {bare + "?signingKey=" + other.SigningKey, nil, 401},
		"a page":        {s.ConnectURL, page, 403},
		"a sandbox":     {here, http.Header{"Origin": {"null"}}, 403},
		"another name":  {s.ConnectURL, http.Header{"Host": {"evil.example"}}, 403},
		"not even here": {strings.Replace(bare, s.ID, "x", 1) + "?signingKey=" + s.SigningKey, nil, 401},
	} {
		o := &websocket.DialOptions{HTTPHeader: c.header, Host: c.header.Get("Host")}
		conn, res, err := websocket.Dial(t.Context(), c.url, o)
		if err == nil {
			conn.CloseNow()
			t.Errorf("%s: let in", name)
		} else if res == nil || res.StatusCode != c.want {
			t.Errorf("%s: %+v %v", name, res, err)
		}
	}
	first := connect(t, here)
	echo(t, first, "1")
	if _, res, err := dial(t, s.ConnectURL, nil); err == nil || res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("%v %v", res, err)
	}
	must(w.Release(t.Context(), other.ID))(t)
	if _, res, err := dial(t, other.ConnectURL, nil); err == nil || res.StatusCode != http.StatusGone {
		t.Errorf("%v %v", res, err)
	}
}

func get(t *testing.T, rawURL string) (*http.Response, string) {
	t.Helper()
	return send(t, must(http.NewRequest("GET", rawURL, nil))(t))
}

func send(t *testing.T, req *http.Request) (*http.Response, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res := must(client.Do(req))(t)
	defer res.Body.Close()
	return res, string(must(io.ReadAll(res.Body))(t))
}

func TestVersion(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{KeepAlive: true})
	for _, end := range []string{"/json/version", "/json/version/"} {
		res, body := get(t, strings.Replace("http"+strings.TrimPrefix(s.ConnectURL, "ws"), "/connect", "/connect"+end, 1))
		var v map[string]string
		if err := json.Unmarshal([]byte(body), &v); err != nil || res.StatusCode != 200 || v["webSocketDebuggerUrl"] != s.ConnectURL {
			t.Errorf("%d %s", res.StatusCode, body)
		}
		echo(t, connect(t, v["webSocketDebuggerUrl"]), "1")
	}
}

func TestLiveView(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{Settings: Settings{SolveCaptchas: true}})
	base := "http" + strings.TrimPrefix(strings.Split(s.ConnectURL, "/v1")[0], "ws")
	live := LiveURL(base, s.ID, s.ViewToken)
	res, body := get(t, live)
	policy := res.Header.Get("Content-Security-Policy")
	nonce := regexpNonce(policy)
	if res.StatusCode != 200 || !strings.HasPrefix(policy, "default-src 'none';") || nonce == "" || strings.Count(body, `nonce="`+nonce+`"`) != 2 || strings.Contains(body, "NONCE") {
		t.Errorf("%d %s\n%s", res.StatusCode, policy, body)
	}
	socket := "ws" + strings.TrimPrefix(strings.Replace(live, "/live?", "/live/socket?tab=T1&", 1), "http")
	if _, res, err := dial(t, socket, http.Header{"Origin": {"https://evil.example"}}); err == nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("%v %v", res, err)
	}
	conn, _, err := dial(t, socket, http.Header{"Origin": {base}})
	if err != nil {
		t.Fatal(err)
	}
	var state liveMessage
	for frames := 0; frames < 3 || len(state.Tabs) == 0 || len(state.Lines) == 0; {
		kind, data, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageBinary {
			frames++
			if string(data) != string(picture()) {
				t.Errorf("%q", data)
			}
		} else if err := json.Unmarshal(data, &state); err != nil {
			t.Fatal(err)
		}
	}
	if len(state.Tabs) != 2 || state.Tabs[1].Title != "<b>B</b>" || state.Lines[0].Kind != LineNote || state.Session.ID != s.ID || state.Session.Interactive || !state.Tabs[1].Front {
		t.Errorf("%+v", state)
	}
	// Who only watches neither keeps a session nor ends it.
	conn.CloseNow()
	if s := must(w.Get(t.Context(), s.ID))(t); s.Status != Running {
		t.Errorf("%+v", s)
	}
}

func regexpNonce(policy string) string {
	_, rest, _ := strings.Cut(policy, "script-src 'nonce-")
	nonce, _, _ := strings.Cut(rest, "'")
	return nonce
}

// A second process of the same data lets clients through to the first, whose
// endpoint the row names.
func TestASessionOfAnotherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := start(t, setup{dir: dir, browser: &quickBrowser{}}), start(t, setup{dir: dir, browser: &quickBrowser{}})
	s := a.create(t, Create{KeepAlive: true})
	front := httptest.NewServer(b.Handler())
	defer front.Close()
	conn := connect(t, ConnectURL(front.URL, s.ID, s.SigningKey))
	echo(t, conn, "1")
	if _, res, err := dial(t, ConnectURL(front.URL, s.ID, s.SigningKey), http.Header{"Origin": {front.URL}}); err == nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("a page: %v %v", res, err)
	}
	if got := must(b.Get(t.Context(), s.ID))(t); got.Status != Running || got.SigningKey != s.SigningKey || got.ConnectURL != s.ConnectURL {
		t.Errorf("%+v", got)
	}
	conn.CloseNow()
	if got := must(b.Release(t.Context(), s.ID))(t); got.Status != Completed {
		t.Errorf("%+v", got)
	}
}

func TestUploads(t *testing.T) {
	t.Parallel()
	var last *quickSession
	each(t, setup{browser: &quickBrowser{opened: func(s *quickSession) { last = s }}, limits: Limits{MaxUpload: 5, MaxUploads: 4}}, func(t *testing.T, w *world) {
		s := w.create(t, Create{})
		for _, name := range []string{"", ".", "..", "a/b", `a\b`, "C:x", "a\x00b", "a\nb", strings.Repeat("x", 256), "\xff"} {
			if err := w.Upload(t.Context(), s.ID, Upload{name, strings.NewReader("x")}); !errtypes.Is(err, errtypes.Invalid) {
				t.Errorf("%q: %v", name, err)
			}
		}
		up := func(content string) error {
			return w.Upload(t.Context(), s.ID, Upload{"täst .txt", strings.NewReader(content)})
		}
		if err := errors.Join(up("hello"), up("again")); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(last.offered["täst .txt"]); err != nil || string(data) != "again" {
			t.Errorf("%q %v", data, err)
		}
		if err := up("too long"); !errtypes.Is(err, errtypes.TooLarge) {
			t.Error(err)
		}
		if files := must(os.ReadDir(w.filesOf(s.ID)))(t); len(files) != 1 {
			t.Errorf("%d files", len(files))
		}
		if err := up("4"); err != nil {
			t.Fatal(err)
		}
		if err := up("5"); !errtypes.Is(err, errtypes.RateLimited) {
			t.Error(err)
		}
		must(w.Release(t.Context(), s.ID))(t)
		if _, err := os.Stat(w.filesOf(s.ID)); !os.IsNotExist(err) {
			t.Errorf("files are left: %v", err)
		}
		if err := up("x"); !errtypes.Is(err, errtypes.Conflict) {
			t.Error(err)
		}
	})
}

// Who only looks at the address neither counts as the client that a session
// waits for, nor as one that leaves.
func TestARequestThatIsNoWebsocket(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	w := start(t, setup{browser: &quickBrowser{}, clock: c})
	s := w.create(t, Create{})
	if res, _ := get(t, "http"+strings.TrimPrefix(s.ConnectURL, "ws")); res.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("%d", res.StatusCode)
	}
	if got := must(w.Get(t.Context(), s.ID))(t); got.Status != Running {
		t.Errorf("%+v", got)
	}
	c.Advance(5 * time.Minute)
	w.ended(t, s.ID, TimedOut, CauseNeverConnected)
}
