package chrome

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// A hold is a new page that stands before its first script until the external
// clients that asked for it have prepared it. The browser would let it go when
// the first of them, or the session itself, says so.
type hold struct {
	waiting map[*conn]struct{}
	done    chan struct{}
}

// hold returns what is closed when the clients are ready; nil if none asked.
func (v *visitors) hold(info *target.Info) <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	h := &hold{waiting: map[*conn]struct{}{}, done: make(chan struct{})}
	for c := range v.conns {
		if c.wantsPaused(info) {
			h.waiting[c] = struct{}{}
		}
	}
	if len(h.waiting) == 0 {
		return nil
	}
	if v.holds == nil {
		v.holds = map[target.ID]*hold{}
	}
	v.holds[info.TargetID] = h
	return h.done
}

// held reports whether a page waits.
func (v *visitors) held(id target.ID) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.holds[id] != nil
}

// resumed notes that a client is ready, and reports whether the page still
// waits for others.
func (v *visitors) resumed(c *conn, id target.ID) (waits bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.saw(c, id)
	return v.holds[id] != nil
}

// saw is called with the lock held, as is release.
func (v *visitors) saw(c *conn, id target.ID) {
	if h := v.holds[id]; h != nil {
		if delete(h.waiting, c); len(h.waiting) == 0 {
			v.release(id)
		}
	}
}

func (v *visitors) release(id target.ID) {
	if h := v.holds[id]; h != nil {
		delete(v.holds, id)
		close(h.done)
	}
}

// awaitVisitors returns when the page need wait no longer.
func (s *session) awaitVisitors(id target.ID, ready <-chan struct{}) {
	if ready == nil {
		return
	}
	timer := s.p.opts.Clock.NewTimer(s.p.opts.Clients.Hold)
	defer timer.Stop()
	select {
	case <-ready:
	case <-s.ctx.Done():
	case <-timer.C():
		s.p.opts.Logger.Warn("chrome: a client does not let a new page begin, so it begins without", "session", s.ID())
	}
	s.visitors.mu.Lock()
	defer s.visitors.mu.Unlock()
	s.visitors.release(id)
}

// resumeGuest lets a page begin that is in a context of a client's own.
func (s *session) resumeGuest(id target.ID, raw target.SessionID, ready <-chan struct{}) {
	s.spawn(func() {
		s.awaitVisitors(id, ready)
		s.proc.wire.send(raw, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{})
		ctx, cancel := s.bounded(context.Background(), s.p.opts.Timeouts.Close, "start")
		defer cancel()
		cdp.Call(ctx, s.proc.session(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: raw})
	})
}
