package chrome_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
)

// A rawClient speaks the browser's protocol with a session over channels.
type rawClient struct {
	t    testing.TB
	in   chan []byte // to the session
	left chan struct{}
	done chan error // of Serve

	mu      sync.Mutex
	next    int64
	answers map[int64]chan reply
	events  []reply
	news    chan struct{} // of one place: there are more events
	once    sync.Once
}

type reply struct {
	ID        int64
	Method    string
	SessionID string
	Params    json.RawMessage
	Result    json.RawMessage
	Error     *struct {
		Code    int
		Message string
	}
}

// Read implements [browser.Client].
func (c *rawClient) Read(ctx context.Context) ([]byte, error) {
	select {
	case frame := <-c.in:
		return frame, nil
	case <-c.left:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Write implements [browser.Client].
func (c *rawClient) Write(_ context.Context, frame []byte) error {
	var r reply
	if err := json.Unmarshal(frame, &r); err != nil {
		c.t.Errorf("the client got %.200q: %v", frame, err)
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.Method == "" {
		if answer := c.answers[r.ID]; answer != nil {
			delete(c.answers, r.ID)
			answer <- r
			return nil
		}
	}
	c.events = append(c.events, r)
	select {
	case c.news <- struct{}{}:
	default:
	}
	return nil
}

// connect begins to serve a client.
func connect(t testing.TB, s browser.Session) *rawClient {
	t.Helper()
	c := &rawClient{
		t: t, in: make(chan []byte), left: make(chan struct{}), done: make(chan error, 1),
		answers: map[int64]chan reply{}, news: make(chan struct{}, 1),
	}
	go func() { c.done <- s.Serve(context.Background(), c) }()
	t.Cleanup(c.leave)
	return c
}

// leave ends the connection and waits for the end of Serve.
func (c *rawClient) leave() {
	c.once.Do(func() {
		close(c.left)
		<-c.done
	})
}

// overdue is how long a client waits for what must come: longer than the busiest
// machine takes, and far shorter than all tests together may.
const overdue = 4 * time.Minute

// raw sends a frame as it is. Where nobody takes it, whoever waits for the answer
// fails.
func (c *rawClient) raw(frame string) {
	select {
	case c.in <- []byte(frame):
	case <-time.After(overdue):
	}
}

// receive returns what the channel gives, which must come while the connection lasts.
func receive[T any](c *rawClient, what string, from <-chan T) (v T) {
	c.t.Helper()
	select {
	case v = <-from:
	case err := <-c.done:
		c.done <- err
		c.t.Fatalf("%s: the connection ended: %v", what, err)
	case <-time.After(overdue):
		c.t.Fatalf("%s: nothing comes in %s; heard last: %s", what, overdue, c.heardLast())
	}
	return v
}

// until returns when what the client has heard is enough.
func (c *rawClient) until(what string, enough func(heard []reply) bool) {
	c.t.Helper()
	late := time.After(overdue)
	for !enough(c.heard()) {
		select {
		case <-c.news:
		case err := <-c.done:
			c.done <- err
			if !enough(c.heard()) {
				c.t.Fatalf("%s does not come: the connection ended: %v", what, err)
			}
		case <-late:
			c.t.Fatalf("%s does not come in %s; heard last: %s", what, overdue, c.heardLast())
		}
	}
}

// heardLast are the methods of the last events.
func (c *rawClient) heardLast() string {
	heard := c.heard()
	var b strings.Builder
	for _, e := range heard[max(0, len(heard)-20):] {
		fmt.Fprintf(&b, "%s ", e.Method)
	}
	return b.String()
}

// start sends a command; the answer arrives on the channel.
func (c *rawClient) start(session, method string, params any) chan reply {
	c.mu.Lock()
	c.next++
	id, answer := c.next, make(chan reply, 1)
	c.answers[id] = answer
	c.mu.Unlock()
	frame, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params, "sessionId": session})
	if err != nil {
		c.t.Fatal(err)
	}
	c.raw(string(frame))
	return answer
}

// ask sends a command and returns the answer.
func (c *rawClient) ask(session, method string, params any) reply {
	c.t.Helper()
	return receive(c, method, c.start(session, method, params))
}

// must is ask where the answer must be a success; it is decoded into a map.
func (c *rawClient) must(session, method string, params any) map[string]any {
	c.t.Helper()
	r := c.ask(session, method, params)
	if r.Error != nil {
		c.t.Fatalf("%s: %s", method, r.Error.Message)
	}
	var res map[string]any
	if err := json.Unmarshal(r.Result, &res); err != nil {
		c.t.Fatalf("%s: %s: %v", method, r.Result, err)
	}
	return res
}

// heard returns the events so far.
func (c *rawClient) heard() []reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]reply(nil), c.events...)
}

type targets struct {
	TargetInfos []struct{ TargetID, Type, URL, BrowserContextID string }
}

// page attaches to the client's first page and returns the session's id.
func (c *rawClient) page() (session, targetID string) {
	c.t.Helper()
	var list targets
	if err := json.Unmarshal(c.ask("", "Target.getTargets", nil).Result, &list); err != nil {
		c.t.Fatal(err)
	}
	for _, info := range list.TargetInfos {
		if info.Type == "page" {
			res := c.must("", "Target.attachToTarget", map[string]any{"targetId": info.TargetID, "flatten": true})
			return res["sessionId"].(string), info.TargetID
		}
	}
	c.t.Fatalf("no page among %+v", list)
	return "", ""
}

// eval evaluates an expression, awaiting promises.
func (c *rawClient) eval(session, expression string) any {
	c.t.Helper()
	res := c.must(session, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true})
	if e := res["exceptionDetails"]; e != nil {
		return fmt.Sprint("exception: ", e)
	}
	return res["result"].(map[string]any)["value"]
}

func TestServeOneClient(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>first</title><p>hello`})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	if v := c.must("", "Browser.getVersion", nil); v["product"] == nil {
		t.Errorf("version: %v", v)
	}
	session, _ := c.page()
	if title := c.eval(session, "document.title"); title != "first" {
		t.Errorf("title %v", title)
	}
	c.eval(session, "document.body.innerHTML = '<button>from outside</button>'")
	if !says(t, s, "from outside") {
		t.Error("the agent does not see what the client did")
	}
	c.leave()
	if !says(t, s, "from outside") {
		t.Error("the session does not go on without the client")
	}
}

// askRaw is ask with parameters as they are, JSON or not.
func (c *rawClient) askRaw(session, method, params string) reply {
	c.t.Helper()
	c.mu.Lock()
	c.next++
	id, answer := c.next, make(chan reply, 1)
	c.answers[id] = answer
	c.mu.Unlock()
	c.raw(fmt.Sprintf(`{"id":%d,"method":%q,"sessionId":%q,"params":%s}`, id, method, session, params))
	return receive(c, method, answer)
}
