package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// inside is a client of the browser's protocol in this process: it sees and may
// what any client of the session does.
type inside struct {
	sent chan []byte

	mu      sync.Mutex
	last    int
	waiting map[int]chan answerCDP
}

func newInside() *inside {
	return &inside{sent: make(chan []byte), waiting: map[int]chan answerCDP{}}
}

// visit connects a client for a time, until leave is called; nil if the session is
// ending.
func (l *live) visit(ctx context.Context, d time.Duration, late error) (_ context.Context, c *inside, leave func()) {
	ctx, leave = clock.WithTimeout(ctx, l.conf.Clock, d, late)
	c = newInside()
	if !l.spawn(func() { defer leave(); _ = l.browser.Serve(ctx, c) }) {
		return ctx, nil, leave
	}
	return ctx, c, leave
}

type answerCDP struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  struct {
		Message string `json:"message"`
	} `json:"error"`
}

// commandCDP is a command on a session of the protocol; on none, on the browser.
type commandCDP struct {
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
	Session string `json:"sessionId,omitempty"`
}

// attach returns a session of the protocol with a tab.
func (c *inside) attach(ctx context.Context, tab string) (session string, err error) {
	var at struct{ SessionID string }
	err = c.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": tab, "flatten": true}, &at)
	return at.SessionID, err
}

// call waits for the answer, and reads it into what is given, if anything. The error is what
// the browser says, or the table that clients go by.
func (c *inside) call(ctx context.Context, session, method string, params, into any) error {
	answer := make(chan answerCDP, 1)
	id := c.number(answer)
	defer c.forget(id)
	if err := c.send(ctx, commandCDP{id, method, params, session}); err != nil {
		return err
	}
	select {
	case a := <-answer:
		if a.Error.Message != "" {
			return errors.New(a.Error.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(a.Result, into)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// post waits for no answer: that to a click may come after a dialog is closed.
func (c *inside) post(ctx context.Context, session, method string, params any) error {
	return c.send(ctx, commandCDP{c.number(nil), method, params, session})
}

func (c *inside) number(answer chan answerCDP) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	if answer != nil {
		c.waiting[c.last] = answer
	}
	return c.last
}

func (c *inside) forget(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

func (c *inside) send(ctx context.Context, command commandCDP) error {
	data, err := json.Marshal(command)
	if err != nil {
		return err
	}
	select {
	case c.sent <- data:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Read implements [browser.Client].
func (c *inside) Read(ctx context.Context) ([]byte, error) {
	select {
	case data := <-c.sent:
		return data, nil
	case <-ctx.Done():
		return nil, io.EOF
	}
}

// Write implements [browser.Client]. Events are of no use here.
func (c *inside) Write(_ context.Context, message []byte) error {
	var a answerCDP
	if json.Unmarshal(message, &a) != nil || a.ID == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.waiting[a.ID]; answer != nil {
		answer <- a // it has room, and there is one answer
		delete(c.waiting, a.ID)
	}
	return nil
}
