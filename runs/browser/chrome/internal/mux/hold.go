package mux

import (
	"context"

	"github.com/chromedp/cdproto/target"
)

// A Hold is a new page that stands before its first script until the session
// has attached to it, and the external clients that asked for it have prepared
// it. The browser would let it go when the first of them says so.
type Hold struct {
	waiting map[*conn]struct{} // clients that have not prepared it
	ready   chan struct{}      // closed when none has to any more
	begun   chan struct{}      // closed when the page has been let go
}

// Hold notes that a page waits. One that waited already, which the browser has
// stopped anew, waits in this only.
func (v *Clients) Hold(info *target.Info) *Hold {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.release(info.TargetID)
	h := &Hold{waiting: map[*conn]struct{}{}, ready: make(chan struct{}), begun: make(chan struct{})}
	for c := range v.conns {
		if c.wantsPaused(info) {
			h.waiting[c] = struct{}{}
		}
	}
	if len(h.waiting) == 0 {
		close(h.ready)
	}
	v.holds[info.TargetID] = h
	return h
}

// resumed notes that a client is ready, and returns what the page waits in, nil
// if it does not wait, and whether it is the last client.
func (v *Clients) resumed(c *conn, id target.ID) (h *Hold, last bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.saw(c, id)
	h = v.holds[id]
	return h, h != nil && len(h.waiting) == 0
}

// saw is called with the lock held, as is release.
func (v *Clients) saw(c *conn, id target.ID) {
	if h := v.holds[id]; h != nil {
		if _, waited := h.waiting[c]; waited {
			if delete(h.waiting, c); len(h.waiting) == 0 {
				close(h.ready)
			}
		}
	}
}

// release ends the wait of a page that has been let go, or has gone.
func (v *Clients) release(id target.ID) {
	if h := v.holds[id]; h != nil {
		delete(v.holds, id)
		close(h.begun)
		if len(h.waiting) > 0 {
			clear(h.waiting)
			close(h.ready)
		}
	}
}

// Begun notes that a page has been let go.
func (v *Clients) Begun(id target.ID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.release(id)
}

// AwaitReady returns when the page of a tab need wait no longer: the session
// hears of it, which fails if it takes too long, and clients are ready.
func (v *Clients) AwaitReady(t Tab, h *Hold) {
	<-t.Heard()
	timer := v.o.Clock.NewTimer(v.o.Limits.Hold)
	defer timer.Stop()
	select {
	case <-h.ready:
	case <-v.s.Context().Done():
	case <-timer.C():
		v.o.Logger.Warn("chrome: a client does not let a new page begin, so it begins without", "session", v.s.ID())
	}
}

// awaitTab returns when the session hears of a new page, and that has been let
// go, unless it waits for clients: from then on, nothing that is done there is
// missed.
func (c *conn) awaitTab(id target.ID, t Tab) {
	if !until(c.ctx, t.Heard()) {
		return
	}
	if h, forClients := c.clients.holdOf(id); h != nil && !forClients {
		until(c.ctx, h.begun)
	}
}

// holdOf returns what a page waits in, nil if it does not, and whether it waits for
// clients.
func (v *Clients) holdOf(id target.ID) (h *Hold, forClients bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	h = v.holds[id]
	return h, h != nil && len(h.waiting) > 0
}

// until reports false when ctx, that of a client or of a session, ended first.
func until(ctx context.Context, done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
