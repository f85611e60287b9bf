package page

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser"
)

// Tabs implements [browser.Session].
func (s *Session) Tabs() []browser.Tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	tabs := make([]browser.Tab, 0, len(s.tabs))
	front, current := s.frontTab(), s.currentTab()
	for _, t := range s.tabs {
		tabs = append(tabs, browser.Tab{
			ID: string(t.id), Name: t.name, URL: t.url, Title: t.title,
			Guest: t.guest(), Front: t == front, Current: t == current, Dialog: s.openDialog(t),
		})
	}
	return tabs
}

// openTabs are those that the agent can work on; nil while there is one only.
func (s *Session) openTabs() []browser.Tab {
	tabs := slices.DeleteFunc(s.Tabs(), func(t browser.Tab) bool { return t.Guest })
	if len(tabs) < 2 {
		return nil
	}
	return tabs
}

// TargetChanged hears what a tab shows. It runs on the goroutine that reads
// the browser's messages.
func (s *Session) TargetChanged(info *target.Info) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(info.TargetID); i >= 0 {
		s.tabs[i].url, s.tabs[i].title = ShownURL(info.URL), Clean(info.Title, s.opts.Limits.Message)
	}
}

// noteShown keeps what a tab was found to show. The browser tells of a new
// address, but not of each new title.
func (s *Session) noteShown(t *tab, p browser.Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.url, t.title = ShownURL(p.URL), p.Title
}

// askTitle finds out the title of a page that has loaded.
func (t *tab) askTitle() {
	ctx, done := t.s.Bounded(context.Background(), t.s.opts.Call, "answer")
	defer done()
	res, err := cdp.Call(ctx, t.s.h.Browser(), target.GetTargetInfo, target.GetTargetInfoParams{TargetID: t.id})
	if err == nil && res.TargetInfo != nil {
		t.s.TargetChanged(res.TargetInfo)
	}
}

// tabOf returns an open tab; nil if there is none with the id.
func (s *Session) tabOf(id string) *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(target.ID(id)); i >= 0 {
		return s.tabs[i]
	}
	return nil
}
