package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/coder/websocket"
)

// A client speaks as much CDP as it takes to load a page: what any client has
// to say, and no library's own time.
type client struct {
	conn   *websocket.Conn
	next   int
	events []string // methods that came while an answer was waited for
}

type message struct {
	ID        int             `json:"id"`
	Method    string          `json:"method"`
	SessionID string          `json:"sessionId"`
	Result    json.RawMessage `json:"result"`
	Error     json.RawMessage `json:"error"`
}

func connect(ctx context.Context, url string) (*client, error) {
	conn, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(1 << 20)
	return &client{conn: conn}, nil
}

// load attaches to the session's page and returns when a URL has loaded in it.
func (c *client) load(ctx context.Context, url string) error {
	var targets struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	if err := c.call(ctx, "", "Target.getTargets", nil, &targets); err != nil {
		return err
	}
	if len(targets.TargetInfos) == 0 {
		return fmt.Errorf("the session has no page")
	}
	var attached struct{ SessionID string }
	if err := c.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": targets.TargetInfos[0].TargetID, "flatten": true}, &attached); err != nil {
		return err
	}
	if err := c.call(ctx, attached.SessionID, "Page.enable", nil, nil); err != nil {
		return err
	}
	c.events = nil
	if err := c.call(ctx, attached.SessionID, "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return err
	}
	for !slices.Contains(c.events, "Page.loadEventFired") {
		if _, err := c.read(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *client) call(ctx context.Context, session, method string, params, result any) error {
	c.next++
	call := map[string]any{"id": c.next, "method": method, "params": params}
	if params == nil {
		call["params"] = struct{}{}
	}
	if session != "" {
		call["sessionId"] = session
	}
	raw, err := json.Marshal(call)
	if err != nil {
		return err
	}
	if err := c.conn.Write(ctx, websocket.MessageText, raw); err != nil {
		return err
	}
	for {
		m, err := c.read(ctx)
		switch {
		case err != nil:
			return err
		case m.ID != c.next:
			continue
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
}

func (c *client) read(ctx context.Context) (m message, err error) {
	_, raw, err := c.conn.Read(ctx)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, err
	}
	if m.Method != "" {
		c.events = append(c.events, m.Method)
	}
	return m, nil
}
