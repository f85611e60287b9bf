package mux

import (
	"maps"
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// targetInfo is the form in which clients hear of a target.
type targetInfo struct {
	TargetInfo *target.Info `json:"targetInfo"`
}

// autoAttach is what a root attaches to by itself.
type autoAttach struct {
	filter policy.TargetFilter
	wait   bool
	// begun are the targets that it has begun to attach to; each is closed
	// when that is done.
	begun map[target.ID]chan struct{}
}

// attachable are the types that a root attaches to by itself; others belong to
// a page, whose session attaches to them.
var attachable = []string{"page", "tab", "service_worker", "shared_worker", "background_page", "webview"}

func (a *autoAttach) wants(info *target.Info) bool {
	return a != nil && info.Subtype == "" && slices.Contains(attachable, info.Type) && a.filter.Match(info.Type)
}

// seen is a target as the client sees it: attached to is what it has itself
// attached to.
func (c *conn) seen(info *target.Info) *target.Info {
	if info == nil {
		return nil
	}
	own := *info
	own.Attached = len(c.those(func(st *attachment) bool { return st.target == info.TargetID })) > 0
	return &own
}

// tellAttachment says that the client has attached to a target, or let it go.
// Other sessions of its own to the same target make it say what is known.
func (c *conn) tellAttachment(id target.ID) {
	v := c.clients
	v.mu.Lock()
	defer v.mu.Unlock()
	if i := v.index(id); i >= 0 {
		c.tellChanged(v.targets[i])
	}
}

// tellChanged passes on what a target has become. The lock of the clients is
// held.
func (c *conn) tellChanged(info *target.Info) {
	c.tell(info, "Target.targetInfoChanged", targetInfo{c.seen(info)})
}

// tell passes an event about a target on to the sessions that discover it. The
// lock of the clients is held.
func (c *conn) tell(info *target.Info, method string, params any) {
	if !c.owns(info.BrowserContextID) {
		return
	}
	for _, st := range c.those(func(st *attachment) bool { return st.discover != nil }) {
		if st.discover.Match(info.Type) {
			c.event(st, method, params)
		}
	}
}

// onCreated hears of a new target of the session. The lock of the clients is
// held.
func (c *conn) onCreated(info *target.Info) {
	c.tell(info, "Target.targetCreated", targetInfo{c.seen(info)})
	if !c.owns(info.BrowserContextID) {
		return
	}
	for _, attach := range c.attaching(info) {
		c.wg.Go(attach)
	}
}

// attaching returns what has to be done for the roots that attach to a target
// by themselves.
func (c *conn) attaching(info *target.Info) (work []func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, st := range c.attachments {
		if !st.auto.wants(info) || st.auto.begun[info.TargetID] != nil {
			continue
		}
		done := make(chan struct{})
		st.auto.begun[info.TargetID] = done
		work = append(work, func() {
			defer close(done)
			c.attach(st, info.TargetID)
		})
	}
	return work
}

// attach attaches a root to a target; the client hears of it by the event.
func (c *conn) attach(st *attachment, id target.ID) {
	_, err := c.call(st.real, target.AttachToTarget.Method, target.AttachToTargetParams{TargetID: id, Flatten: new(true)})
	if err != nil {
		c.clients.resumed(c, id)
	}
}

// awaitAttached returns when no root is about to attach to a target.
func (c *conn) awaitAttached() {
	c.mu.Lock()
	var all []chan struct{}
	for _, st := range c.attachments {
		if st.auto != nil {
			all = slices.AppendSeq(all, maps.Values(st.auto.begun))
		}
	}
	c.mu.Unlock()
	for _, done := range all {
		select {
		case <-done:
		case <-c.ctx.Done():
			return
		}
	}
}

// forget takes note that a target has ended.
func (c *conn) forget(id target.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, st := range c.attachments {
		if st.auto != nil {
			delete(st.auto.begun, id)
		}
	}
}

// wantsPaused reports whether the client wants a new page to wait for it. The
// lock of the clients is held.
func (c *conn) wantsPaused(info *target.Info) bool {
	if !c.owns(info.BrowserContextID) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, st := range c.attachments {
		if st.auto != nil && st.auto.wait && info.Subtype == "" && (st.auto.filter.Match(info.Type) || st.auto.filter.Match("tab")) {
			return true
		}
	}
	return false
}

// visible are the targets of the client's world that the filter lets through.
// The lock of the clients is held.
func (c *conn) visible(filter policy.TargetFilter) []*target.Info {
	list := []*target.Info{}
	for _, info := range c.clients.targets {
		if c.owns(info.BrowserContextID) && filter.Match(info.Type) {
			list = append(list, info)
		}
	}
	return list
}
