package chrome

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/runs/browser"
)

// onDialog notes a JavaScript dialog and answers it, without which the page
// would stand still. It runs on the goroutine that reads the tab's messages,
// so another one answers.
func (s *session) onDialog(t *tab, ev *page.EventJavascriptDialogOpening) {
	accept := s.noteDialog(ev)
	s.spawn(func() {
		ctx, cancel := s.bounded(t.life, s.p.opts.Timeouts.Call, "close its dialog")
		defer cancel()
		_, err := cdp.Call(ctx, t.known(), page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept})
		if err != nil {
			s.p.opts.Logger.Debug("chrome: a dialog was gone before it was answered", "session", s.ID(), "error", err)
		}
	})
}

// noteDialog remembers a dialog for the next Page and decides the answer.
func (s *session) noteDialog(ev *page.EventJavascriptDialogOpening) (accept bool) {
	accept = ev.Type != page.DialogTypePrompt
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.dialogs) < s.p.opts.Limits.Dialogs {
		s.dialogs = append(s.dialogs, browser.Dialog{
			Type: string(ev.Type), Message: clean(ev.Message, s.p.opts.Limits.Message), Accepted: accept,
		})
	}
	return accept
}

// takeDialogs returns the dialogs since the last call.
func (s *session) takeDialogs() []browser.Dialog {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.dialogs
	s.dialogs = nil
	return d
}
