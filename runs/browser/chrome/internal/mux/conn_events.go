package mux

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// onFrame gets what the browser says on a session of the client's. It runs on
// the goroutine that reads the wire: it does not block, and does not send. All
// but what is about targets is passed on as it is.
func (c *conn) onFrame(id target.SessionID, frame []byte) {
	c.mu.Lock()
	st := c.attachments[id]
	c.mu.Unlock()
	if st == nil {
		return
	}
	if frameID(frame) >= firstID {
		return // it was asked here, and is not waited for any more
	}
	if len(frame) > c.clients.o.Limits.Message {
		c.tooLong(st, frame)
		return
	}
	if !bytes.HasPrefix(frame, []byte(`{"id":`)) && !bytes.HasPrefix(frame, []byte(`{"method":"`)) {
		return // it is neither an answer nor an event
	}
	if !bytes.HasPrefix(frame, []byte(`{"method":"Target.`)) {
		c.show(st, c.clients.traced(frame))
		return
	}
	c.onTargetEvent(st, frame)
}

// show passes a frame on, from the session as the client knows it.
func (c *conn) show(st *attachment, frame []byte) {
	if st.shown == "" {
		frame = stripped(frame, st.real)
	}
	c.push(frame)
}

func errTooLong(limit int) error {
	return fmt.Errorf("the answer is longer than the limit of %d bytes", limit)
}

// tooLong answers in the place of an answer that is longer than the limit.
func (c *conn) tooLong(st *attachment, frame []byte) {
	id := frameID(frame)
	if id == 0 || id >= firstID {
		return
	}
	cmd := policy.Command{ID: id, Session: string(st.shown)}
	c.push(cmd.Fault(policy.CodeServer, errTooLong(c.clients.o.Limits.Message).Error()).Encode())
}

// onTargetEvent lets the client hear of its own sessions. What it hears of
// targets comes from the session, see clients.
func (c *conn) onTargetEvent(st *attachment, frame []byte) {
	var msg struct {
		Method string
		Params json.RawMessage
	}
	if json.Unmarshal(frame, &msg) != nil {
		return
	}
	switch msg.Method {
	case "Target.attachedToTarget":
		c.onAttached(st, frame, msg.Params)
	case "Target.detachedFromTarget":
		c.onDetached(st, frame, msg.Params)
	}
}

func (c *conn) onAttached(st *attachment, frame []byte, params json.RawMessage) {
	var ev target.EventAttachedToTarget
	if json.Unmarshal(params, &ev) != nil || ev.SessionID == "" || ev.TargetInfo == nil {
		return
	}
	root := ev.TargetInfo.Type == "browser"
	if !(root && st.root) && !c.mayAttach(ev.TargetInfo) {
		c.refuseTarget(st, ev.SessionID)
		return
	}
	c.add(&attachment{
		real: ev.SessionID, shown: ev.SessionID, parent: st.real,
		target: ev.TargetInfo.TargetID, root: root, level: levelOf(ev.TargetInfo.Type),
	})
	if root { // each root has another id, and clients look for the one they asked for
		ev.TargetInfo.TargetID = c.browser
		c.event(st, "Target.attachedToTarget", ev)
		return
	}
	c.tellAttachment(ev.TargetInfo.TargetID)
	if _, held := c.clients.holdOf(ev.TargetInfo.TargetID); held && !ev.WaitingForDebugger {
		ev.WaitingForDebugger = true
		c.event(st, "Target.attachedToTarget", ev)
		return
	}
	c.show(st, frame)
}

// mayAttach does not go by what is known of targets, since those of a page are
// attached to before they are told of.
func (c *conn) mayAttach(info *target.Info) bool {
	if !c.owns(info.BrowserContextID) {
		return false
	}
	if info.Type == "tab" {
		return c.clients.find(info.TargetID) != nil
	}
	return slices.Contains(served, info.Type)
}

// refuseTarget lets go of a target that is not the client's.
func (c *conn) refuseTarget(st *attachment, id target.SessionID) {
	c.s.Spawn(func() {
		c.s.Wire().Send(id, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{})
		c.s.Wire().Send(st.real, target.DetachFromTarget.Method, target.DetachFromTargetParams{SessionID: id})
	})
}

func (c *conn) onDetached(st *attachment, frame []byte, params json.RawMessage) {
	var ev target.EventDetachedFromTarget
	if json.Unmarshal(params, &ev) != nil {
		return
	}
	c.mu.Lock()
	own := c.attachments[ev.SessionID] != nil
	c.mu.Unlock()
	if !own {
		return
	}
	c.show(st, frame)
	for _, id := range c.remove(ev.SessionID) {
		c.clients.resumed(c, id)
		c.tellAttachment(id)
	}
}
