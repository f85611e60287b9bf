package chrome

import (
	"context"
	"errors"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// newTab opens a tab and returns when it is attached. The browser tells of its
// target as of any other; onTarget does the rest.
func (s *session) newTab(ctx context.Context) (*tab, error) {
	o := s.options()
	// A window of its own, because a tab behind another gets no frames drawn.
	res, err := cdp.Call(ctx, s.proc.session(), target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: s.contextID, NewWindow: new(true),
		Width: int64(o.Width), Height: int64(o.Height),
	})
	if err != nil {
		return nil, err
	}
	t := s.adopt(&target.Info{TargetID: res.TargetID, BrowserContextID: s.contextID})
	if t == nil {
		return nil, errNoTab
	}
	return t, t.wait(ctx)
}

// wait returns when the tab can be used.
func (t *tab) wait(ctx context.Context) error {
	select {
	case <-t.attached:
		return t.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// adopt makes a tab of a target and starts to attach to it; nil beyond the
// limit or when the session is closing. It is called for the same target by who
// opened it and by onTarget, in whatever order.
func (s *session) adopt(info *target.Info) *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(info.TargetID); i >= 0 {
		return s.tabs[i]
	}
	if s.closing {
		return nil
	}
	if len(s.tabs) >= s.p.opts.MaxTabs {
		s.p.opts.Logger.Warn("chrome: a page opens too many tabs", "session", s.o.ID, "limit", s.p.opts.MaxTabs)
		s.wg.Go(func() { s.closeTarget(info.TargetID) })
		return nil
	}
	t := newTab(s, info)
	s.tabs = append(s.tabs, t)
	s.raise(t)
	s.tellSwitch(t)
	s.wg.Go(func() { s.attach(t) })
	return t
}

// attach connects to a tab's target. A tab that cannot be attached to, such as
// one that hangs from the start, is closed.
func (s *session) attach(t *tab) {
	limit := s.p.opts.Timeouts.Start
	if t.popup {
		limit = s.p.opts.Timeouts.Call
	}
	ctx, cancel := s.bounded(context.Background(), limit, "start")
	defer cancel()
	t.err = t.attach(ctx)
	if t.err != nil {
		s.onTargetGone(t.id, errTabClosed.WithCause(t.err)) // before anybody takes it for the current one
	}
	close(t.attached)
	if t.err != nil && s.ctx.Err() == nil {
		s.p.opts.Logger.Warn("chrome: a tab cannot be used and is closed", "session", s.ID(), "error", t.err)
		s.closeTarget(t.id)
	}
}

func (s *session) closeTarget(id target.ID) {
	ctx, cancel := s.bounded(context.Background(), s.p.opts.Timeouts.Close, "close")
	defer cancel()
	cdp.Call(ctx, s.proc.session(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
}

// indexOf is called with the lock held.
func (s *session) indexOf(id target.ID) int {
	return slices.IndexFunc(s.tabs, func(t *tab) bool { return t.id == id })
}

// onTarget hears of a new target in a context of the session. It runs on the
// goroutine that reads the browser's messages.
func (s *session) onTarget(info *target.Info) {
	guest := info.BrowserContextID != s.contextID
	if guest {
		s.addOwnFrame(info.BrowserContextID, cdp.FrameID(info.TargetID))
	}
	switch {
	case info.Type == "page" && info.Subtype == "": // the others are prerendered, not shown
		s.adopt(info)
		s.onTargetChanged(info)
	case info.Type == "iframe" && !guest:
		s.addFrame(info.TargetID)
	}
}

// isPopup reports whether a page has opened the target: with window.open, or by
// a link, whether or not it lets the new page know of it.
func isPopup(info *target.Info) bool { return info.OpenerID != "" || info.OpenerFrameID != "" }

// onTargetGone hears that a target has ended. The tab used before is the
// current one then.
func (s *session) onTargetGone(id target.ID, cause error) {
	s.dropFrame(id)
	s.mu.Lock()
	i := s.indexOf(id)
	if i < 0 {
		s.mu.Unlock()
		return
	}
	t := s.tabs[i]
	s.watch().note(string(id), target.TargetDestroyed.Method, params{"targetId": id})
	s.tabs = slices.Delete(s.tabs, i, i+1)
	s.tellSwitch(t)
	if !s.closing {
		s.wg.Go(t.detach)
	}
	s.mu.Unlock()
	t.end(cause)
}

// onTargetCrashed hears that the process of a target has ended unasked. A tab
// that is listened to hears it by itself, and only once.
func (s *session) onTargetCrashed(id target.ID) {
	s.dropFrame(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(id); i >= 0 && !s.tabs[i].listening.Load() && !s.closing {
		t := s.tabs[i]
		t.crash()
		s.wg.Go(t.detach)
	}
}

// current returns the tab that is worked on: the one opened last, but for those
// of clients' contexts.
func (s *session) current() *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.currentTab()
}

// currentTab is called with the lock held.
func (s *session) currentTab() *tab {
	for _, t := range slices.Backward(s.tabs) {
		if !t.guest() {
			return t
		}
	}
	return nil
}

// tab returns the current tab, ready for use.
func (s *session) tab(ctx context.Context) (*tab, error) {
	for {
		if s.ctx.Err() != nil {
			return nil, context.Cause(s.ctx)
		}
		t := s.current()
		if t == nil {
			return nil, errNoTab
		}
		if err := t.wait(ctx); err == nil || t == s.current() {
			return t, err
		}
	}
}

var errSwitched = errors.New("another tab is the current one")

// whileCurrent derives a context that ends with errSwitched when another tab
// becomes the current one.
func (s *session) whileCurrent(ctx context.Context, t *tab) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.currentTab() != t {
		cancel(errSwitched)
	}
	s.switched = cancel
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.switched = nil
		cancel(nil)
	}
}

// tellSwitch is called with the lock held when a tab comes or goes.
func (s *session) tellSwitch(t *tab) {
	s.turn()
	if s.switched != nil && !t.guest() {
		s.switched(errSwitched)
	}
}
