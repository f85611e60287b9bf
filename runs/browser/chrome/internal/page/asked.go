package page

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// AskDialogs implements [browser.Navigation].
func (s *Session) AskDialogs() (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking++
	return sync.OnceFunc(s.stopAsking)
}

// stopAsking gives up the dialogs that stand when nobody is left to be asked.
func (s *Session) stopAsking() {
	s.mu.Lock()
	s.asking--
	last := s.asking == 0
	s.mu.Unlock()
	if !last {
		return
	}
	for _, d := range s.standing.each() {
		if s.Clients.Hearing(d.tab.id) { // it goes on waiting for that client
			s.standing.remove(d)
			continue
		}
		d.settled.Do(func() { close(d.settle) })
	}
}

// asks reports whether who drives the session is asked about the dialogs of a tab.
func (s *Session) asks(t *tab) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asking > 0 && !t.guest()
}

// isQuestion reports whether a dialog asks something: to leave the page is
// answered by what is done.
func isQuestion(ev *page.EventJavascriptDialogOpening) bool {
	return ev.Type == page.DialogTypeConfirm || ev.Type == page.DialogTypePrompt
}

var errNoDialog = errtypes.New(errtypes.Invalid, "no dialog is open")

// Answer implements [browser.Navigation].
func (s *Session) Answer(ctx context.Context, a browser.DialogAnswer) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Answer")
	d := s.standing.last()
	if d == nil {
		return browser.Page{}, errNoDialog
	}
	if a.Allow != nil {
		if err := a.Allow(d.shown.Origin); err != nil {
			return browser.Page{}, classify(&refusedError{err})
		}
	}
	before := d.tab.track.now()
	if err := s.answerAsked(ctx, d, a.Accept, a.Text); err != nil {
		return browser.Page{}, err
	}
	if err := s.settleAfter(ctx, d.tab, before); err != nil {
		return s.orStanding(ctx, err)
	}
	return s.Page(ctx)
}

// answerAsked answers a dialog and returns when it is gone.
func (s *Session) answerAsked(ctx context.Context, d *dialog, accept bool, text string) error {
	ctx, done := s.Bounded(ctx, s.opts.Call, "close its dialog")
	defer done()
	if d.tab.listening.Load() {
		d.tab.answerWith(accept, text)
	} else { // a popup that has just come
		d.answer(accept)
	}
	select {
	case <-d.gone:
		return nil
	case <-ctx.Done():
		return s.Explain(ctx, context.Cause(ctx))
	}
}
