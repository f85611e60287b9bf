package sessions

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"
)

// A cdp is an external client that speaks the browser's protocol. One goroutine
// uses it.
type cdp struct {
	t    *testing.T
	conn *websocket.Conn
	page string // the session on the page
	next int
}

type cdpMessage struct {
	ID             int
	Method         string
	Params, Result json.RawMessage
	Error          *struct{ Message string }
}

// connectCDP connects a client that is attached to the page of the session.
func connectCDP(t *testing.T, address string) *cdp {
	t.Helper()
	c := &cdp{t: t, conn: connect(t, address)}
	c.conn.SetReadLimit(32 << 20)
	var list struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	c.call("Target.getTargets", nil, &list)
	for _, info := range list.TargetInfos {
		if info.Type == "page" {
			var at struct{ SessionID string }
			c.call("Target.attachToTarget", map[string]any{"targetId": info.TargetID, "flatten": true}, &at)
			c.page = at.SessionID
			return c
		}
	}
	t.Fatalf("no page among %+v", list)
	return nil
}

// send sends a command to the page, or to the browser before there is one.
func (c *cdp) send(method string, params any) (id int) {
	c.t.Helper()
	c.next++
	message := map[string]any{"id": c.next, "method": method}
	if params != nil {
		message["params"] = params
	}
	if c.page != "" && method != "Browser.setDownloadBehavior" {
		message["sessionId"] = c.page
	}
	data := must(json.Marshal(message))(c.t)
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, data); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	return c.next
}

// read reads until a message is the one.
func (c *cdp) read(what string, is func(cdpMessage) bool) cdpMessage {
	c.t.Helper()
	for {
		_, data, err := c.conn.Read(c.t.Context())
		var m cdpMessage
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil {
			c.t.Fatalf("%s: %v", what, err)
		}
		if is(m) {
			return m
		}
	}
}

func (c *cdp) call(method string, params, result any) {
	c.t.Helper()
	id := c.send(method, params)
	m := c.read(method, func(m cdpMessage) bool { return m.ID == id })
	if m.Error != nil {
		c.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *cdp) until(method string) {
	c.t.Helper()
	c.read(method, func(m cdpMessage) bool { return m.Method == method })
}

// movingSite has a page that moves, and a file whose end never comes.
func movingSite(t *testing.T) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/file" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<title>Moving</title><p id=p></p><script>let n = 0; setInterval(() => p.textContent = n++, 20)</script>`)
			return
		}
		w.Header().Set("Content-Disposition", "attachment; filename=long.bin")
		w.Write(make([]byte, 300_000))
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(site.Close)
	return site
}

// work makes a session busy: its page moves and is cast, a file is on its way.
func (c *cdp) work(site *httptest.Server) {
	c.t.Helper()
	c.call("Page.enable", nil, nil)
	c.call("Page.navigate", map[string]any{"url": site.URL + "/"}, nil)
	c.until("Page.loadEventFired")
	c.call("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "eventsEnabled": true}, nil)
	c.send("Runtime.evaluate", map[string]any{"expression": "location = '/file'"})
	c.until("Browser.downloadWillBegin")
	c.send("Page.startScreencast", map[string]any{"format": "jpeg"})
	c.until("Page.screencastFrame")
}
