package page

import (
	"bytes"
	"context"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// A console listens to what the scripts of a tab say. It has a protocol session
// of its own: a page that hangs while it floods its console cannot be told to
// be quiet, and all sessions of the browser would wait behind what it says. But
// the browser can be told to let go of a session, whatever its page does.
// Messages are taken apart by a goroutine of their own: where that takes longer
// than the page needs to say them, nothing else waits for it.
type console struct {
	t    *tab
	said *mux.Outbox // what has not been taken apart

	mu     sync.Mutex
	wanted bool             // open was called
	closed bool             // the tab has ended
	at     target.SessionID // empty while nobody listens
}

// open begins to listen. It does nothing where that has begun, or the tab has
// ended.
func (c *console) open(ctx context.Context) error {
	c.mu.Lock()
	begun := c.wanted || c.closed
	c.wanted = true
	c.mu.Unlock()
	if begun {
		return nil
	}
	c.t.s.Spawn(c.report)
	return c.listen(ctx)
}

// maxSaid is how many bytes of messages may wait.
const maxSaid = 1 << 20

func newConsole(t *tab) *console { return &console{t: t, said: mux.NewOutbox(maxSaid)} }

func (c *console) listen(ctx context.Context) error {
	host := c.t.s.h
	res, err := cdp.Call(ctx, host.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: c.t.id, Flatten: new(true)})
	if err != nil {
		return err
	}
	c.mu.Lock()
	if !c.closed {
		c.at = res.SessionID
		host.Wire().Route(c.at, c.onFrame)
	}
	c.mu.Unlock()
	return host.Wire().Send(res.SessionID, runtime.Enable.Method, cdp.Empty{}) // a page that waits to be let go answers later
}

// onFrame runs on the goroutine that reads the wire. What a flood has left
// there goes by without being read.
func (c *console) onFrame(id target.SessionID, frame []byte) {
	c.mu.Lock()
	heard := id == c.at
	c.mu.Unlock()
	if !heard || !bytes.HasPrefix(frame, consoleCalled) && !bytes.HasPrefix(frame, exceptionThrown) {
		return
	}
	if !c.said.Push(frame) {
		c.t.s.watch().drop()
		c.mute()
	}
}

// report tells the observer what is said, to the last word before the tab's end.
func (c *console) report() {
	see := func(_ context.Context, frame []byte) error { c.see(frame); return nil }
	c.said.Drain(c.t.life, see)
	c.said.Finish()
	c.said.Drain(c.t.life, see)
}

func (c *console) see(frame []byte) {
	var msg cdproto.Message
	if mux.DecodeMessage(frame, &msg) != nil {
		return
	}
	ev, err := cdproto.UnmarshalMessage(&msg, chromedp.DefaultUnmarshalOptions)
	if err == nil && !c.t.s.watch().see(string(c.t.id), ev) {
		c.mute()
	}
}

// How the messages that are listened to begin.
var (
	consoleCalled   = []byte(`{"method":"` + runtime.ConsoleAPICalled.Method + `"`)
	exceptionThrown = []byte(`{"method":"` + runtime.ExceptionThrown.Method + `"`)
)

// mute stops listening to a page that says too much, until another is shown.
func (c *console) mute() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id := c.at; id != "" {
		c.at = ""
		c.t.s.Spawn(func() { c.letGo(id) })
	}
}

// letGo returns when the browser has said its last on the session.
func (c *console) letGo(id target.SessionID) {
	host := c.t.s.h
	ctx, cancel := host.Outliving(c.t.s.opts.Close)
	defer cancel()
	host.Wire().Call(ctx, "", target.DetachFromTarget.Method, target.DetachFromTargetParams{SessionID: id})
	host.Wire().Unroute(id)
}

// again listens to the page that is shown now, where the last was muted.
func (c *console) again() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.wanted || c.at != "" || c.closed {
		return
	}
	c.t.s.Spawn(func() {
		ctx, done := c.t.s.during(c.t.life, c.t, c.t.s.opts.Call, "answer")
		defer done()
		c.listen(ctx)
	})
}

// close ends with the tab, which takes its sessions with it.
func (c *console) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.at != "" {
		c.t.s.h.Wire().Unroute(c.at)
		c.at = ""
	}
}
