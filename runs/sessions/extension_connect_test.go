package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/extensions"
)

// opens is the source of what says how a websocket opens.
const opens = `new Promise(done => {
	const s = new WebSocket(%q)
	s.onopen = () => s.send('{"id":1,"method":"Browser.getVersion"}')
	s.onmessage = m => done(JSON.parse(m.data).result.product.split('/')[0])
	s.onerror = () => done('refused')
})`

// debugging is an extension of that name with the permission debugger.
func debugging(name string) map[string]string {
	files := marking(name)
	files["manifest.json"] = strings.Replace(files["manifest.json"], `"storage"`, `"debugger"`, 1)
	return files
}

// evaluate runs a script in what the client is attached to.
func (c *cdp) evaluate(source string) string {
	c.t.Helper()
	var answer struct{ Result struct{ Value string } }
	c.call("Runtime.evaluate", map[string]any{"expression": source, "awaitPromise": true, "returnByValue": true}, &answer)
	return answer.Result.Value
}

// attachToWorker goes on with the service worker of the session's extension, once
// it has begun: what it is asked before may get no answer.
func (c *cdp) attachToWorker() {
	c.t.Helper()
	for c.page = ""; c.page == ""; {
		var list struct {
			TargetInfos []struct{ TargetID, Type, URL string }
		}
		c.call("Target.getTargets", nil, &list)
		for _, info := range list.TargetInfos {
			if info.Type == "service_worker" && strings.HasPrefix(info.URL, "chrome-extension://") {
				var at struct{ SessionID string }
				c.call("Target.attachToTarget", map[string]any{"targetId": info.TargetID, "flatten": true}, &at)
				c.page = at.SessionID
			}
		}
	}
	for c.evaluate("typeof globalThis.chrome?.runtime?.onMessage") != "object" {
		c.t.Log("the worker has not begun")
	}
}

// The extension of a session is let in where a client has come in, and nobody
// else is, whatever the gate says of the address.
func TestTheExtensionOfASessionConnectsFromInside(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `<title>Here</title>`) }))
	defer site.Close()
	var temp string
	w, kept := extensionWorld(t, &temp, nil)
	e := must(upload(t.Context(), kept, debugging("inside")))(t)
	s, other := w.create(t, Create{KeepAlive: true, Settings: Settings{ExtensionID: e.ID}}), w.create(t, Create{KeepAlive: true})
	const door = "127.0.0.2:9943" // which the gate refuses
	at := func(scheme, host string, of Session) string {
		return scheme + "://" + host + "/below" + ConnectPath(of.ID) + "?" + KeyParameter + "=" + of.SigningKey
	}
	worker := connectCDP(t, s.ConnectURL)
	worker.attachToWorker()
	if got := worker.evaluate(fmt.Sprintf(opens, at("ws", door, s))); got != "refused" {
		t.Errorf("where nobody has come in: %s", got)
	}
	for _, of := range []Session{s, other} {
		conn, _, err := websocket.Dial(t.Context(), of.ConnectURL, &websocket.DialOptions{Host: door})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.CloseNow() })
	}
	for name, c := range map[string]struct{ url, want string }{
		"its own":                {at("ws", door, s), "Chrome"},
		"its own, with TLS":      {at("wss", door, s), "Chrome"},
		"without the key":        {strings.TrimSuffix(at("ws", door, s), s.SigningKey), "refused"},
		"another session":        {at("ws", door, other), "refused"},
		"another path":           {strings.Replace(at("ws", door, s), "/connect", "/live/socket", 1), "refused"},
		"another port":           {at("ws", "127.0.0.2:9944", s), "refused"},
		"the endpoint of others": {at("ws", strings.Split(other.ConnectURL, "/")[2], other), "refused"},
	} {
		if got := worker.evaluate(fmt.Sprintf(opens, c.url)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	page, elsewhere := connectCDP(t, s.ConnectURL), connectCDP(t, other.ConnectURL)
	for name, c := range map[string]*cdp{"a page of the session": page, "a page of another session": elsewhere} {
		c.call("Page.navigate", map[string]any{"url": site.URL}, &json.RawMessage{})
		if got := c.evaluate(fmt.Sprintf(opens, at("ws", door, s))); got != "refused" {
			t.Errorf("%s: %s", name, got)
		}
	}
	must(w.Release(t.Context(), s.ID))(t)
	w.ended(t, s.ID, Completed, "")
}

// So is it where the client has come in by another process.
func TestAnExtensionOfASessionOfAnotherProcess(t *testing.T) {
	t.Parallel()
	a, b := two(t, setup{browser: chrometest.Provider(t)})
	kept := must(withExtensions(a))(t)
	t.Cleanup(func() {
		if err := kept.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	e := must(upload(t.Context(), kept, debugging("inside")))(t)
	s := a.create(t, Create{KeepAlive: true, Settings: Settings{ExtensionID: e.ID}})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.Handler().ServeHTTP(w, WithBase(r, "https://drover.private.test/below"))
	}))
	defer front.Close()
	worker := connectCDP(t, ConnectURL(front.URL, s.ID, s.SigningKey))
	worker.attachToWorker()
	for _, base := range []string{front.URL, "https://drover.private.test/below"} {
		if got := worker.evaluate(fmt.Sprintf(opens, ConnectURL(base, s.ID, s.SigningKey))); got != "Chrome" {
			t.Errorf("%s: %s", base, got)
		}
	}
	worker.conn.CloseNow()
	must(a.Release(t.Context(), s.ID))(t)
}

// A host that allows the permission debugger no more refuses sessions with what
// was uploaded before, and says why.
func TestAnExtensionThatTheHostAllowsNoMore(t *testing.T) {
	t.Parallel()
	var temp string
	w, _ := extensionWorld(t, &temp, nil)
	allowing := must(extensions.Open(extensions.Config{DB: w.db, Callers: w.projects, Blobs: w.blobs, Debugger: true}))(t)
	defer allowing.Close(context.Background())
	refusing := must(extensions.Open(extensions.Config{DB: w.db, Callers: w.projects, Blobs: w.blobs}))(t)
	defer refusing.Close(context.Background())
	e := must(upload(t.Context(), allowing, debugging("allowed")))(t)
	w.service.conf.Extensions = refusing
	var field *errtypes.Error
	_, err := w.Create(t.Context(), Create{Settings: Settings{ExtensionID: e.ID}})
	if !errors.As(err, &field) || field.Field != "browserSettings.extensionId" || !strings.Contains(field.Message, `asks for the permission "debugger"`) {
		t.Errorf("%v", err)
	}
	if left := unpackedOf(temp, "allowed"); len(left) > 0 {
		t.Errorf("left of the extension: %v", left)
	}
}

// What an ordinary extension finds where clients have come in is the real site,
// which the gate judges, as for pages.
func TestAnOrdinaryExtensionIsNotLetInFromInside(t *testing.T) {
	t.Parallel()
	var temp string
	w, kept := extensionWorld(t, &temp, nil)
	e := must(upload(t.Context(), kept, marking("ordinary")))(t)
	s := w.create(t, Create{KeepAlive: true, Settings: Settings{ExtensionID: e.ID}})
	const door = "127.0.0.2:9943" // which the gate refuses
	conn, _, err := websocket.Dial(t.Context(), s.ConnectURL, &websocket.DialOptions{Host: door})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	worker := connectCDP(t, s.ConnectURL)
	worker.attachToWorker()
	if got := worker.evaluate(fmt.Sprintf(opens, ConnectURL("http://"+door, s.ID, s.SigningKey))); got != "refused" {
		t.Errorf("it opens %s", got)
	}
}
