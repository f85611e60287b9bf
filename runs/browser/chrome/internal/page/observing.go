package page

import (
	"context"
	"encoding/json"

	"github.com/chromedp/cdproto/target"
)

// consoleWanted reports whether the pages' consoles are listened to. That a
// page can tell when they are, so that a verified session does not.
func (s *Session) consoleWanted() bool { return s.watch() != nil && !s.Options().Verified }

// watch returns who observes the session; nil if nobody does.
func (s *Session) watch() *observer { return s.watching.Load() }

// BeginWatch lets who asked for it observe the session.
func (s *Session) BeginWatch() {
	if tell := s.Options().Observe; tell != nil {
		s.watching.Store(newObserver(s.opts, tell))
	}
}

// listenToConsole makes a tab tell of its console.
func (t *tab) listenToConsole(ctx context.Context) error {
	t.s.watch().note(string(t.id), target.TargetCreated.Method, params{"targetId": t.id, "popup": t.popup})
	if !t.s.consoleWanted() {
		return nil
	}
	return t.console.open(ctx)
}

// Observed reports whether anybody observes the session.
func (s *Session) Observed() bool { return s.watch() != nil }

// Observe tells who does of an event that is one of many, in a tab or, without
// one, in none.
func (s *Session) Observe(tab, method string, p map[string]any) {
	if w := s.watch(); w != nil && w.fits() {
		w.note(tab, method, p)
	}
}

// Note tells of an event that matters.
func (s *Session) Note(tab, method string, p map[string]any) { s.watch().note(tab, method, p) }

// EndWatch tells the rest, and no more.
func (s *Session) EndWatch() { s.watch().close() }

// unquoted is a string of JSON as text; other values as they are.
func unquoted(text string) string {
	var s string
	if json.Unmarshal([]byte(text), &s) == nil {
		return s
	}
	return text
}
