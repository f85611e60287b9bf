package page

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
)

// What tests of package chrome look at.

// Listening counts the tabs whose events arrive.
func (s *Session) Listening() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		if t.listening.Load() {
			n++
		}
	}
	return n
}

// Attached returns the session's own end of the current tab, and the context that
// ends with the page in it.
func (s *Session) Attached() (context.Context, cdp.Session) {
	t := s.current()
	return t.working(), t.target
}

// AttachedFrame returns the session's own end of a frame of another site, and the
// context that ends with it; nil where none is attached to.
func (s *Session) AttachedFrame() (context.Context, cdp.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.frames {
		if f.target != nil {
			return f.life, f.target
		}
	}
	return nil, nil
}

// Casts counts the screencasts that the browser makes.
func (s *Session) Casts() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		t.cast.mu.Lock()
		if t.cast.running != (castParams{}) {
			n++
		}
		t.cast.mu.Unlock()
	}
	return n
}
