package mux

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// A conn is one external client: its root in the browser, and what belongs to
// it. What it may say and see is decided by package policy.
type conn struct {
	s       Session
	clients *Clients
	client  browser.Client
	out     *Outbox
	root    target.SessionID
	browser target.ID     // the browser as a target
	slots   chan struct{} // of commands that are being worked on

	ctx  context.Context
	stop context.CancelCauseFunc
	wg   sync.WaitGroup

	mu          sync.Mutex
	attachments map[target.SessionID]*attachment // by the id that the browser knows
	contexts    map[cdp.BrowserContextID]bool
	making      int // contexts
	windows     map[int64]bool
}

// An attachment is a protocol session of the client.
type attachment struct {
	real   target.SessionID // as the browser knows it
	shown  target.SessionID // as the client knows it: empty for its first root
	parent target.SessionID
	target target.ID
	root   bool // attached to the browser
	level  policy.Level

	discover  *policy.TargetFilter
	auto      *autoAttach
	downloads bool    // it wants to hear of downloads
	choosing  bool    // it answers the questions of its page for files
	ratio     float64 // of its emulated screen's pixels to those of CSS
	hearing   bool    // it hears of the dialogs of its page, and answers them
}

// levelOf is what the policy goes by for sessions with a type of target.
func levelOf(kind string) policy.Level {
	switch kind {
	case "browser":
		return policy.Browser
	case "page", "webview", "background_page":
		return policy.Page
	case "iframe":
		return policy.Frame
	case "tab":
		return policy.Tab
	case "worker", "worklet":
		return policy.Worker
	}
	return policy.SharedWorker
}

// slotsPerClient bounds the commands of a client that are worked on here at a
// time; commands that are only passed on are not counted.
const slotsPerClient = 32

func newConn(v *Clients, client browser.Client) *conn {
	c := &conn{
		s: v.s, clients: v, client: client, out: NewOutbox(v.o.Limits.Queue),
		slots: make(chan struct{}, slotsPerClient), attachments: map[target.SessionID]*attachment{},
		contexts: map[cdp.BrowserContextID]bool{}, windows: map[int64]bool{},
	}
	c.ctx, c.stop = context.WithCancelCause(context.Background())
	c.out.of, c.out.over = v.o.Backlog, func() { c.stop(errCrowded) }
	return c
}

// take works on one frame of the client.
func (c *conn) take(frame []byte) {
	cmd, fault := policy.Parse(frame, c.clients.o.Limits.Message)
	if fault != nil {
		c.push(fault.Encode())
		return
	}
	st := c.attachment(target.SessionID(cmd.Session))
	if st == nil {
		c.push(cmd.Fault(codeNoSession, "Session with given id not found.").Encode())
		return
	}
	act, params, fault := policy.Decide(st.level, cmd, world{c, st})
	if fault != nil {
		c.push(fault.Encode())
		return
	}
	cmd.Params = params
	c.noteAct(st, cmd)
	if act == policy.Stage {
		stages[cmd.Method](c, st, cmd)
		return
	}
	c.forward(st, cmd)
}

const codeNoSession = -32001

// forward hands a command to the browser, which answers the client.
func (c *conn) forward(st *attachment, cmd policy.Command) {
	c.noteRaise(st, cmd)
	if err := c.s.Wire().frames.WriteFrame(cmd.Encode(string(st.real))); err != nil {
		c.push(cmd.Fault(policy.CodeServer, "the browser cannot be reached").Encode())
	}
}

// call asks the browser something on a session of the client's.
func (c *conn) call(id target.SessionID, method string, params any) (json.RawMessage, error) {
	ctx, cancel := c.s.Bounded(c.ctx, c.clients.o.Call, "answer")
	defer cancel()
	return c.s.Wire().Call(ctx, id, method, params)
}

// later works on a command without keeping the next one waiting, and answers
// with what f returns.
func (c *conn) later(cmd policy.Command, f func() (any, error)) {
	c.busy(func() {
		res, err := f()
		if err != nil {
			c.fail(cmd, err)
			return
		}
		c.answer(cmd, res)
	})
}

// busy runs f in a goroutine of the client's.
func (c *conn) busy(f func()) {
	select {
	case c.slots <- struct{}{}:
	case <-c.ctx.Done():
		return
	}
	c.wg.Go(func() {
		defer func() { <-c.slots }()
		f()
	})
}

func (c *conn) fail(cmd policy.Command, err error) {
	code, message := int64(policy.CodeServer), err.Error()
	if e, ok := errors.AsType[*cdproto.Error](err); ok {
		code, message = e.Code, e.Message
	}
	c.push(cmd.Fault(int(code), message).Encode())
}

func (c *conn) answer(cmd policy.Command, res any) {
	raw, err := json.Marshal(res)
	if err != nil {
		c.fail(cmd, err)
		return
	}
	c.push(cmd.Answer(raw))
}

// event tells the client of something on one of its sessions.
func (c *conn) event(st *attachment, method string, params any) {
	if frame, err := policy.Event(string(st.shown), method, params); err == nil {
		c.push(frame)
	}
}

// push sends a frame to the client, which must keep up. It does not block.
func (c *conn) push(frame []byte) {
	if !c.out.Push(frame) {
		c.stop(errSlow)
	}
}

// attachment returns the session that the client knows by the id.
func (c *conn) attachment(shown target.SessionID) *attachment {
	c.mu.Lock()
	defer c.mu.Unlock()
	if shown == "" {
		return c.attachments[c.root]
	}
	if st := c.attachments[shown]; st != nil && st.shown == shown {
		return st
	}
	return nil
}

// add adds a session.
func (c *conn) add(st *attachment) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.attachments[st.real] = st
	c.s.Wire().Route(st.real, c.onFrame)
}

// remove takes a session away with those below it, and returns their targets.
func (c *conn) remove(id target.SessionID) (targets []target.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	gone := []target.SessionID{id}
	for len(gone) > 0 {
		id := gone[0]
		gone = gone[1:]
		st := c.attachments[id]
		if st == nil {
			continue
		}
		c.drop(st)
		targets = append(targets, st.target)
		for _, below := range c.attachments {
			if below.parent == id {
				gone = append(gone, below.real)
			}
		}
	}
	return targets
}

func (c *conn) removeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, st := range c.attachments {
		c.drop(st)
	}
}

// drop is called with the lock held.
func (c *conn) drop(st *attachment) {
	delete(c.attachments, st.real)
	c.s.Wire().Unroute(st.real)
	if st.choosing {
		c.s.Spawn(func() { c.s.SettleChooser(context.Background(), st.target) })
	}
	if st.hearing {
		c.s.Spawn(func() { c.s.SettleDialog(st.target) })
	}
}

// noteRaise looks for commands that bring a tab to the front.
func (c *conn) noteRaise(st *attachment, cmd policy.Command) {
	switch cmd.Method {
	case page.BringToFront.Method:
		c.s.Raised(st.target)
	case target.ActivateTarget.Method:
		c.s.Raised(parsed[target.ActivateTargetParams](cmd).TargetID)
	}
}
