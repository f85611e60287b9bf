package sessions

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// caller is who has an API key.
type caller struct {
	ctx context.Context
	key string // its id
}

func (w *world) caller(t *testing.T) caller {
	t.Helper()
	k, secret, err := w.projects.CreateKey(t.Context(), projects.Default, "")
	if err != nil {
		t.Fatal(err)
	}
	return caller{must(w.projects.As(t.Context(), secret))(t), k.ID}
}

func (w *world) seenBy(t *testing.T, who caller, id string) Session {
	t.Helper()
	return must(w.Get(who.ctx, id))(t)
}

// viewSocket is the websocket of the live view.
func viewSocket(s Session) string {
	return "ws" + strings.TrimPrefix(strings.Replace(LiveURL(baseOfSession(s), s.ID, s.ViewToken), "/live?", "/live/socket?", 1), "http")
}

func isRevoked(c websocket.CloseError) bool {
	return c.Code == websocket.StatusPolicyViolation && strings.Contains(c.Reason, "API key") && strings.Contains(c.Reason, "revoked")
}

func TestARevokedKeyClosesWhatItOpened(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	one, two := w.caller(t), w.caller(t)
	created := must(w.Create(one.ctx, Create{}))(t)
	other, host := w.seenBy(t, two, created.ID), must(w.Get(t.Context(), created.ID))(t)
	if created.SigningKey == other.SigningKey || created.ViewToken == other.ViewToken || other.SigningKey == host.SigningKey {
		t.Error("keys share a link")
	}
	driving, watching := connect(t, created.ConnectURL), connect(t, viewSocket(created))
	staying, host2, looking := connect(t, other.ConnectURL), connect(t, host.ConnectURL), connect(t, viewSocket(other))
	must(w.projects.RevokeKey(t.Context(), one.key))(t)
	for name, c := range map[string]*websocket.Conn{"the client": driving, "the viewer": watching} {
		if closed := gone(t, c); !isRevoked(closed) {
			t.Errorf("%s: %v", name, closed)
		}
	}
	echo(t, staying, `{"id":1}`)
	echo(t, host2, `{"id":1}`)
	if _, _, err := looking.Read(t.Context()); err != nil {
		t.Errorf("a viewer of another key is gone: %v", err)
	}
	w.checkLinks(t, created, 401)
	w.checkLinks(t, other, 200)
	w.checkLinks(t, host, 200)
	if s := w.seenBy(t, two, created.ID); s.Status != Running {
		t.Errorf("the session is %s", s.Status)
	}
}

// checkLinks asks all that a session's links lead to.
func (w *world) checkLinks(t *testing.T, s Session, want int) {
	t.Helper()
	base := baseOfSession(s)
	for _, url := range []string{
		LiveURL(base, s.ID, s.ViewToken), ReplayURL(base, s.ID, s.ViewToken),
		base + ReplayPath(s.ID) + "/events?" + ViewParameter + "=" + s.ViewToken,
		base + LivePath(s.ID) + "?" + KeyParameter + "=" + s.SigningKey,
		base + ConnectPath(s.ID) + "/json/version?" + KeyParameter + "=" + s.SigningKey,
	} {
		if res, body := get(t, url); res.StatusCode != want || want == 401 && !strings.Contains(body, "revoked") {
			t.Errorf("%s: %d %s, want %d", url, res.StatusCode, body, want)
		}
	}
	c, res, err := dial(t, s.ConnectURL, nil)
	if (err == nil) != (want == 200) || err != nil && res.StatusCode != http.StatusUnauthorized {
		t.Errorf("to connect: %v", err)
	}
	if c != nil {
		c.CloseNow()
	}
}

// What names one key and is signed for another opens nothing.
func TestALinkCannotBeGivenAnotherKey(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	one, two := w.caller(t), w.caller(t)
	s := must(w.Create(one.ctx, Create{KeepAlive: true}))(t)
	base := baseOfSession(s)
	for _, forged := range []string{
		strings.Replace(s.SigningKey, one.key, two.key, 1), strings.TrimSuffix(s.SigningKey, "."+one.key), s.SigningKey + "." + two.key, s.SigningKey + ".",
	} {
		if res, _ := get(t, base+ConnectPath(s.ID)+"/json/version?"+KeyParameter+"="+forged); res.StatusCode != 401 {
			t.Errorf("%s: %d", forged, res.StatusCode)
		}
	}
	for _, forged := range []string{
		strings.Replace(s.ViewToken, one.key, two.key, 1), strings.TrimSuffix(s.ViewToken, "."+one.key), s.ViewToken + ".",
	} {
		if res, _ := get(t, LiveURL(base, s.ID, forged)); res.StatusCode != 401 {
			t.Errorf("%s: %d", forged, res.StatusCode)
		}
	}
	empty := "?" + ViewParameter + "=&" + KeyParameter + "=" + s.SigningKey
	if res, body := get(t, base+LivePath(s.ID)+empty); res.StatusCode != 200 {
		t.Errorf("an empty token counts as one: %d %s", res.StatusCode, body)
	}
}

// The last client did not leave: it was sent away. Another key's has time to
// come, and nobody has for ever.
func TestARevokedKeyDoesNotEndTheSession(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	w := start(t, setup{browser: &quickBrowser{}, clock: c, limits: Limits{ConnectTimeout: time.Minute, PingInterval: 24 * time.Hour, IdleTimeout: 24 * time.Hour}})
	one, two := w.caller(t), w.caller(t)
	for _, comes := range []bool{true, false} {
		s := must(w.Create(one.ctx, Create{}))(t)
		driving := connect(t, s.ConnectURL)
		must(w.projects.RevokeKey(t.Context(), one.key))(t)
		if closed := gone(t, driving); !isRevoked(closed) {
			t.Fatal(closed)
		}
		if comes {
			again := connect(t, w.seenBy(t, two, s.ID).ConnectURL)
			echo(t, again, `{"id":0}`) // it is counted in
			c.Advance(2 * time.Minute)
			echo(t, again, `{"id":1}`)
			again.Close(websocket.StatusNormalClosure, "")
			w.ended(t, s.ID, Completed, "")
		} else {
			w.waitAlone(t, s.ID)
			c.Advance(time.Minute)
			w.ended(t, s.ID, Completed, "")
		}
		one = w.caller(t)
	}
}

// waitAlone waits until a session counts no client.
func (w *world) waitAlone(t *testing.T, id string) {
	t.Helper()
	l := w.find(id)
	for end := time.Now().Add(testlevel.Loaded(10 * time.Second)); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		clients := l.clients
		l.mu.Unlock()
		if clients == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the client does not go")
		}
	}
}

// Another process revokes the key, as the command does.
func TestAKeyThatAnotherProcessRevokesCloses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := start(t, setup{browser: &quickBrowser{}, dir: dir})
	one := w.caller(t)
	s := must(w.Create(one.ctx, Create{KeepAlive: true}))(t)
	driving := connect(t, s.ConnectURL)
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	hub := notify.New(db, notify.Options{})
	defer hub.Close()
	elsewhere := must(projects.New(t.Context(), db, projects.Options{Notify: hub}))(t)
	began := time.Now()
	must(elsewhere.RevokeKey(t.Context(), one.key))(t)
	if closed := gone(t, driving); !isRevoked(closed) {
		t.Error(closed)
	}
	if took := time.Since(began); took > testlevel.Loaded(5*time.Second) {
		t.Errorf("it took %v", took)
	}
}
