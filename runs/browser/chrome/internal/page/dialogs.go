package page

import (
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/weburl"
	"github.com/drover-go/drover/runs/browser"
)

// A dialog is one that a page shows; the page stands still until it is
// answered.
type dialog struct {
	ev     *page.EventJavascriptDialogOpening
	tab    *tab
	answer func(accept bool)
	shown  *browser.OpenDialog
	asked  bool // it waits for who drives the session, too

	closed  chan bool     // how it was answered
	gone    chan struct{} // closed when that has been noted
	settle  chan struct{}
	settled sync.Once
}

// dialogs are those that are left to others, by page.
type dialogs struct {
	mu   sync.Mutex
	open map[target.ID]*dialog
}

func (d *dialogs) put(id target.ID, one *dialog) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open = map[target.ID]*dialog{}
	}
	d.open[id] = one
}

func (d *dialogs) of(id target.ID) *dialog {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[id]
}

// openDialog returns the dialog of a tab that waits for an answer; nil for none.
func (s *Session) openDialog(t *tab) *browser.OpenDialog {
	if d := s.left.of(t.id); d != nil {
		return d.shown
	}
	return nil
}

func (s *Session) newDialog(t *tab, ev *page.EventJavascriptDialogOpening, answer func(bool), asked bool) *dialog {
	limit := s.opts.Limits.Message
	return &dialog{
		ev: ev, tab: t, answer: answer, asked: asked,
		shown: &browser.OpenDialog{
			Type: string(ev.Type), Message: Clean(ev.Message, limit), Default: Clean(ev.DefaultPrompt, limit), Origin: originOf(ev.URL),
		},
		closed: make(chan bool, 1), gone: make(chan struct{}), settle: make(chan struct{}),
	}
}

func (d *dialogs) drop(id target.ID, one *dialog) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[id] == one {
		delete(d.open, id)
	}
}

// onDialog notes a JavaScript dialog and answers it, without which the page
// would stand still, unless a client hears of the page's dialogs, or who drives
// the session wants to be asked: then the answer is theirs. It runs on the
// goroutine that reads the tab's messages, so another one answers.
func (s *Session) onDialog(t *tab, ev *page.EventJavascriptDialogOpening, answer func(accept bool)) {
	heard, asked := s.Clients.Hearing(t.id), s.asks(t)
	if !heard && !(asked && isQuestion(ev)) {
		accept := accepts(ev)
		s.noteDialog(t, ev, accept)
		s.Spawn(func() { answer(accept) })
		return
	}
	d := s.newDialog(t, ev, answer, asked)
	s.left.put(t.id, d)
	if asked {
		s.standing.add(d)
	}
	s.Spawn(func() { s.leaveDialog(t, d) })
}

// leaveDialog waits for the answer. When none will come, or not in time, it
// answers itself.
func (s *Session) leaveDialog(t *tab, d *dialog) {
	defer close(d.gone)
	defer s.standing.remove(d)
	defer s.left.drop(t.id, d)
	timer := s.opts.Clock.NewTimer(s.patience(d))
	defer timer.Stop()
	select {
	case accepted := <-d.closed:
		s.noteDialog(t, d.ev, accepted)
		return
	case <-t.life.Done():
		return
	case <-s.ctx.Done():
		return
	case <-d.settle:
	case <-timer.C():
	}
	accept := accepts(d.ev) && !d.asked
	s.noteDialog(t, d.ev, accept)
	d.answer(accept)
}

// patience is how long an answer is waited for.
func (s *Session) patience(d *dialog) time.Duration {
	if d.asked {
		return s.opts.Dialog
	}
	return s.opts.Limits.Dialog
}

// onDialogClosed hears that a dialog is gone, whoever has answered it.
func (s *Session) onDialogClosed(t *tab, ev *page.EventJavascriptDialogClosed) {
	if d := s.left.of(t.id); d != nil {
		select {
		case d.closed <- ev.Result:
		default: // it was told twice
		}
	}
}

// SettleDialog answers the dialog of a page when no client is left that would.
func (s *Session) SettleDialog(id target.ID) {
	if d := s.left.of(id); d != nil && !d.asked && !s.Clients.Hearing(id) {
		d.settled.Do(func() { close(d.settle) })
	}
}

// AnswerDialog implements [browser.Session].
func (s *Session) AnswerDialog(tab string, accept bool, text string) error {
	t := s.tabOf(tab)
	if t == nil {
		return errtypes.New(errtypes.NotFound, "the tab is not open")
	}
	d := s.left.of(t.id)
	switch {
	case d == nil:
		return errtypes.New(errtypes.Conflict, "the tab shows no dialog that waits for an answer")
	case t.listening.Load():
		t.answerWith(accept, text)
	default: // a popup that has just come
		d.answer(accept)
	}
	return nil
}

// answerDialog answers the dialog of a tab that chromedp is attached to.
func (t *tab) answerDialog(accept bool) { t.answerWith(accept, "") }

func (t *tab) answerWith(accept bool, text string) {
	ctx, cancel := t.s.Bounded(t.life, t.s.opts.Call, "close its dialog")
	defer cancel()
	_, err := cdp.Call(ctx, t.target, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept, PromptText: text})
	if err != nil {
		t.s.opts.Logger.Debug("chrome: a dialog was gone before it was answered", "session", t.s.ID(), "error", err)
	}
}

// originOf is the origin of an address; that of what has none is opaque.
func originOf(address string) string {
	u, err := weburl.Parse(address, nil)
	if err != nil || u.Host == "" {
		return "null"
	}
	return u.Scheme + "://" + u.HostPort()
}

// accepts is the session's own answer: there is nothing to write into a prompt.
func accepts(ev *page.EventJavascriptDialogOpening) bool { return ev.Type != page.DialogTypePrompt }

// noteDialog remembers a dialog, and its answer, for the next Page. Those of
// clients' contexts are none of the agent's business.
func (s *Session) noteDialog(t *tab, ev *page.EventJavascriptDialogOpening, accepted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !t.guest() && len(s.dialogs) < s.opts.Limits.Dialogs {
		s.dialogs = append(s.dialogs, browser.Dialog{
			Type: string(ev.Type), Message: Clean(ev.Message, s.opts.Limits.Message), Accepted: accepted,
		})
	}
}

// takeDialogs returns the dialogs since the last call.
func (s *Session) takeDialogs() []browser.Dialog {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.dialogs
	s.dialogs = nil
	return d
}
