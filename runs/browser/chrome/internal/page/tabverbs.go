package page

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/runs/browser"
)

// name is called with the lock held, as are use and showAfter.
func (s *Session) name(t *tab) {
	if !t.guest() {
		s.names++
		t.name = "t" + strconv.Itoa(s.names)
	}
}

// use makes a tab the current one.
func (s *Session) use(t *tab) {
	s.uses++
	t.used = s.uses
}

// showAfter brings the tab to the front that is the current one after another has
// closed. The browser itself shows the one beside it, and draws no other.
func (s *Session) showAfter(closed, was *tab) {
	now := s.currentTab()
	if s.closing || closed != was || now == nil || now == s.lastOpened() {
		return
	}
	s.wg.Go(func() {
		ctx, done := s.Bounded(now.life, s.opts.Call, "come to the front")
		defer done()
		s.bringToFront(ctx, now)
	})
}

// lastOpened is called with the lock held.
func (s *Session) lastOpened() *tab {
	for _, t := range slices.Backward(s.tabs) {
		if !t.guest() {
			return t
		}
	}
	return nil
}

func (s *Session) bringToFront(ctx context.Context, t *tab) error {
	_, err := cdp.Call(ctx, t.target, page.BringToFront, cdp.Empty{})
	s.Raised(t.id)
	return err
}

// OpenTab implements [browser.Navigation].
func (s *Session) OpenTab(ctx context.Context, address string) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.OpenTab")
	var u *url.URL
	if address != "" {
		if u, err = egress.ParseURL(address); err != nil {
			return browser.Page{}, err
		}
	}
	if err := cmp.Or(s.standing.err(), s.roomForTab()); err != nil {
		return browser.Page{}, err
	}
	openCtx, opened := s.Bounded(ctx, s.opts.Start, "open a tab")
	t, err := s.newTab(openCtx)
	opened()
	if err != nil {
		return browser.Page{}, s.Explain(openCtx, err)
	}
	if u == nil {
		return s.Page(ctx)
	}
	return s.goTo(ctx, t, u, func(ctx context.Context) error { return s.endTab(ctx, t) })
}

// roomForTab is the error where there is none for another tab.
func (s *Session) roomForTab() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tabs) < s.opts.MaxTabs {
		return nil
	}
	return errtypes.New(errtypes.Invalid, "%d tabs are open, as many as may be; close one first", len(s.tabs))
}

// SwitchTab implements [browser.Navigation].
func (s *Session) SwitchTab(ctx context.Context, name string) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.SwitchTab")
	t, err := s.openTab(name)
	if err = cmp.Or(s.standing.err(), err); err != nil {
		return browser.Page{}, err
	}
	switchCtx, done := s.Bounded(ctx, s.opts.Call, "come to the front")
	defer done()
	if err := t.wait(switchCtx); err != nil {
		return browser.Page{}, s.Explain(switchCtx, err)
	}
	s.mu.Lock()
	s.use(t)
	s.tellSwitch(t)
	s.mu.Unlock()
	if err := s.bringToFront(switchCtx, t); err != nil {
		return browser.Page{}, s.Explain(switchCtx, err)
	}
	return s.Page(ctx)
}

// CloseTab implements [browser.Navigation].
func (s *Session) CloseTab(ctx context.Context, name string) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.CloseTab")
	t, err := s.openTab(name)
	if err = cmp.Or(s.standing.err(), err); err != nil {
		return browser.Page{}, err
	}
	if err := s.endTab(ctx, t); err != nil {
		return browser.Page{}, err
	}
	if s.current() == nil {
		openCtx, opened := s.Bounded(ctx, s.opts.Start, "open a tab")
		defer opened()
		if _, err := s.newTab(openCtx); err != nil {
			return browser.Page{}, s.Explain(openCtx, err)
		}
	}
	return s.Page(ctx)
}

// openTab is the tab with a name or an id; "" is the current one.
func (s *Session) openTab(name string) (*tab, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, t := range s.tabs {
		switch {
		case t.guest():
			continue
		case t.name == name || string(t.id) == name || name == "" && t == s.currentTab():
			return t, nil
		}
		names = append(names, t.name)
	}
	return nil, errtypes.New(errtypes.Invalid, "there is no such tab; open are %s", cmp.Or(strings.Join(names, ", "), "none"))
}

// endTab closes a tab and returns when it is gone.
func (s *Session) endTab(ctx context.Context, t *tab) error {
	ctx, done := s.Bounded(ctx, s.opts.Close, "close")
	defer done()
	if _, err := cdp.Call(ctx, s.h.Browser(), target.CloseTarget, target.CloseTargetParams{TargetID: t.id}); err != nil {
		return s.Explain(ctx, err)
	}
	for {
		s.mu.Lock()
		gone, turned := s.indexOf(t.id) < 0, s.turned
		s.mu.Unlock()
		if gone {
			return nil
		}
		select {
		case <-turned:
		case <-ctx.Done():
			return s.Explain(ctx, context.Cause(ctx))
		}
	}
}
