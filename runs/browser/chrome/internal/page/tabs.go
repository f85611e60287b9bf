package page

import (
	"context"
	"errors"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// newTab opens a tab and returns when it is attached. The browser tells of its
// target as of any other; onTarget does the rest.
func (s *Session) newTab(ctx context.Context) (*tab, error) {
	o := s.Options()
	// A window of its own, because a tab behind another gets no frames drawn.
	res, err := cdp.Call(ctx, s.h.Browser(), target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: s.ContextID(), NewWindow: new(true),
		Width: int64(o.Width), Height: int64(o.Height),
	})
	if err != nil {
		return nil, err
	}
	t := s.adopt(&target.Info{TargetID: res.TargetID, BrowserContextID: s.ContextID()})
	if t == nil {
		return nil, errNoTab
	}
	return t, t.wait(ctx)
}

// NewTab opens a tab and returns when it can be used.
func (s *Session) NewTab(ctx context.Context) error {
	_, err := s.newTab(ctx)
	return err
}

// Tab is a tab that the session is attached to; nil if there is none with the id.
func (s *Session) Tab(id target.ID) mux.Tab {
	if t := s.tabOf(string(id)); t != nil {
		return t
	}
	return nil
}

// Fresh reports whether the session is as it was made: its one tab works.
func (s *Session) Fresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx.Err() == nil && len(s.tabs) == 1 && s.tabs[0].working().Err() == nil
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
func (s *Session) adopt(info *target.Info) *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(info.TargetID); i >= 0 {
		return s.tabs[i]
	}
	if s.closing {
		return nil
	}
	if len(s.tabs) >= s.opts.MaxTabs {
		s.opts.Logger.Warn("chrome: a page opens too many tabs", "session", s.o.ID, "limit", s.opts.MaxTabs)
		s.wg.Go(func() { s.closeTarget(info.TargetID) })
		return nil
	}
	t := newTab(s, info)
	s.tabs = append(s.tabs, t)
	s.name(t)
	s.use(t)
	s.raise(t)
	s.tellSwitch(t)
	s.wg.Go(func() { s.attach(t) })
	return t
}

// attach connects to a tab's target. A tab that cannot be attached to, such as
// one that hangs from the start, is closed.
func (s *Session) attach(t *tab) {
	limit := s.opts.Start
	if t.popup {
		limit = s.opts.Call
	}
	ctx, cancel := s.boundedApart(limit, "start")
	defer cancel()
	t.err = t.attach(ctx)
	if t.err != nil {
		s.TargetGone(t.id, ErrTabClosed.WithCause(t.err)) // before anybody takes it for the current one
	}
	close(t.attached)
	if t.err != nil && s.ctx.Err() == nil {
		s.opts.Logger.Warn("chrome: a tab cannot be used and is closed", "session", s.ID(), "error", t.err)
		s.closeTarget(t.id)
	}
}

func (s *Session) closeTarget(id target.ID) {
	ctx, cancel := s.Bounded(context.Background(), s.opts.Close, "close")
	defer cancel()
	cdp.Call(ctx, s.h.Browser(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
}

// indexOf is called with the lock held.
func (s *Session) indexOf(id target.ID) int {
	return slices.IndexFunc(s.tabs, func(t *tab) bool { return t.id == id })
}

// TargetCreated hears of a new target in a context of the session. It runs on the
// goroutine that reads the browser's messages.
func (s *Session) TargetCreated(info *target.Info) {
	guest := info.BrowserContextID != s.ContextID()
	if guest {
		s.addOwnFrame(info.BrowserContextID, cdp.FrameID(info.TargetID))
	}
	switch {
	case info.Type == "page" && info.Subtype == "": // the others are prerendered, not shown
		s.adopt(info)
		s.TargetChanged(info)
	case info.Type == "iframe" && !guest:
		s.addFrame(info.TargetID)
	}
}

// isPopup reports whether a page has opened the target: with window.open, or by
// a link, whether or not it lets the new page know of it.
func isPopup(info *target.Info) bool { return info.OpenerID != "" || info.OpenerFrameID != "" }

// TargetGone hears that a target has ended. The tab used before is the
// current one then.
func (s *Session) TargetGone(id target.ID, cause error) {
	s.dropFrame(id)
	s.mu.Lock()
	i := s.indexOf(id)
	if i < 0 {
		s.mu.Unlock()
		return
	}
	t := s.tabs[i]
	s.watch().note(string(id), target.TargetDestroyed.Method, params{"targetId": id})
	was := s.currentTab()
	s.tabs = slices.Delete(s.tabs, i, i+1)
	s.tellSwitch(t)
	s.showAfter(t, was)
	if !s.closing {
		s.wg.Go(t.detach)
	}
	s.mu.Unlock()
	t.end(cause)
}

// TargetCrashed hears that the process of a target has ended unasked. A tab
// that is listened to hears it by itself, and only once.
func (s *Session) TargetCrashed(id target.ID) {
	s.dropFrame(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(id); i >= 0 && !s.tabs[i].listening.Load() && !s.closing {
		t := s.tabs[i]
		t.crash()
		s.wg.Go(t.detach)
	}
}

// current returns the tab that is worked on: the one opened or switched to last,
// but for those of clients' contexts.
func (s *Session) current() *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.currentTab()
}

// currentTab is called with the lock held.
func (s *Session) currentTab() (current *tab) {
	for _, t := range s.tabs {
		if !t.guest() && (current == nil || t.used > current.used) {
			current = t
		}
	}
	return current
}

// tab returns the current tab, ready for use.
func (s *Session) tab(ctx context.Context) (*tab, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer s.standing.whenOne(cancel)() // a new tab may be of the process that stands still
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
func (s *Session) whileCurrent(ctx context.Context, t *tab) (context.Context, func()) {
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
func (s *Session) tellSwitch(t *tab) {
	s.turn()
	if s.switched != nil && !t.guest() {
		s.switched(errSwitched)
	}
}
