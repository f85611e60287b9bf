package conformance

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/projects"
)

// opened is what a session's answer says of how to reach it.
type opened struct{ ID, Status, ConnectURL, ReplayURL string }

func (w *world) session(t *testing.T, base, method, path, key string) (s opened) {
	t.Helper()
	req := must(http.NewRequest(method, base+path, nil))(t)
	req.Header.Set("X-SVC-API-Key", key)
	res := must(http.DefaultClient.Do(req))(t)
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&s); err != nil || s.ConnectURL == "" {
		t.Fatalf("%d %+v, %v", res.StatusCode, s, err)
	}
	return s
}

// A key that is revoked takes with it who came by its links, over the adapter
// with a real browser, and nobody else.
func TestARevokedKeyTakesItsClientsWithIt(t *testing.T) {
	t.Parallel()
	w := build(t, config{browser: chrometest.Provider(t), realTime: true})
	server := httptest.NewServer(w.handler)
	defer server.Close()
	k, secret, err := w.Projects.CreateKey(t.Context(), projects.Default, "to be revoked")
	if err != nil {
		t.Fatal(err)
	}
	s := w.session(t, server.URL, "POST", "/v1/sessions", secret)
	c, _, err := websocket.Dial(t.Context(), s.ConnectURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	must(w.Projects.RevokeKey(t.Context(), k.ID))(t)
	_, _, err = c.Read(t.Context())
	if closed, ok := errors.AsType[websocket.CloseError](err); !ok || !strings.Contains(closed.Reason, "revoked") {
		t.Errorf("%v", err)
	}
	if _, res, err := websocket.Dial(t.Context(), s.ConnectURL, nil); err == nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("the link opens again: %v", err)
	}
	res := must(http.Get(s.ReplayURL))(t)
	if res.Body.Close(); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("the replay: %d", res.StatusCode)
	}
	again := w.session(t, server.URL, "GET", "/v1/sessions/"+s.ID, w.words["<key>"])
	if again.Status != "RUNNING" || again.ConnectURL == s.ConnectURL {
		t.Errorf("%+v", again)
	}
	c, _, err = websocket.Dial(t.Context(), again.ConnectURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.CloseNow()
}
