package chrome

import (
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser"
)

// Tabs implements [browser.Session].
func (s *session) Tabs() []browser.Tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	tabs := make([]browser.Tab, 0, len(s.tabs))
	for _, t := range s.tabs {
		tabs = append(tabs, browser.Tab{ID: string(t.id), URL: t.url, Title: t.title})
	}
	return tabs
}

// onTargetChanged hears what a tab shows. It runs on the goroutine that reads
// the browser's messages.
func (s *session) onTargetChanged(info *target.Info) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(info.TargetID); i >= 0 {
		s.tabs[i].url, s.tabs[i].title = shownURL(info.URL), clean(info.Title, s.p.opts.Limits.Message)
	}
}

// tabOf returns an open tab; nil if there is none with the id.
func (s *session) tabOf(id string) *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(target.ID(id)); i >= 0 {
		return s.tabs[i]
	}
	return nil
}
