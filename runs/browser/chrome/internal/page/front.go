package page

import "github.com/chromedp/cdproto/target"

// The tab in front is the one that was opened or brought there last, of
// whatever context. It is what people are shown; the agent goes by the current
// one.

// raise is called with the lock held, as is turn.
func (s *Session) raise(t *tab) {
	s.raises++
	t.raised = s.raises
}

// turn tells those who wait that other tabs are there, or another is in front.
func (s *Session) turn() {
	close(s.turned)
	s.turned = make(chan struct{})
}

// front returns the tab in front; nil where there is none.
func (s *Session) front() *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frontTab()
}

// frontTab is called with the lock held.
func (s *Session) frontTab() (front *tab) {
	for _, t := range s.tabs {
		if front == nil || t.raised > front.raised {
			front = t
		}
	}
	return front
}

// Raised hears that a client brings a tab to the front.
func (s *Session) Raised(id target.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(id); i >= 0 {
		s.raise(s.tabs[i])
		s.turn()
	}
}
