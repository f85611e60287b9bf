package chrome

import (
	"context"
	"encoding/json"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// onPaused hears of a page that waits, before its first script, for whoever
// attached to it. That is the browser's own automatic attachment, whose session
// is raw: chromedp knows nothing of it. It is used to answer the dialogs with
// which a page may begin, since chromedp cannot attach to a page that shows one.
func (s *session) onPaused(info *target.Info, raw target.SessionID) {
	ready := s.visitors.hold(info)
	if s.isGuest(info) {
		s.resumeGuest(info.TargetID, raw, ready)
		return
	}
	t := s.adopt(info.TargetID, s.isPopup(info))
	if t == nil { // it is being closed, for which it must not wait
		s.spawn(func() { s.proc.wire.send(raw, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{}) })
		return
	}
	s.proc.wire.tap(raw, func(msg *cdproto.Message) { s.onRawEvent(t, raw, msg) })
	s.spawn(func() {
		defer s.proc.wire.untap(raw)
		s.proc.wire.send(raw, page.Enable.Method, page.EnableParams{})
		s.awaitVisitors(info.TargetID, ready)
		s.proc.wire.send(raw, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{})
		<-t.attached
		ctx, cancel := s.bounded(context.Background(), s.p.opts.Timeouts.Close, "start")
		defer cancel()
		cdp.Call(ctx, s.proc.session(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: raw})
	})
}

// onRawEvent sees to a dialog that a page shows before chromedp has attached.
func (s *session) onRawEvent(t *tab, raw target.SessionID, msg *cdproto.Message) {
	if t.listening.Load() {
		return
	}
	switch string(msg.Method) {
	case page.JavascriptDialogOpening.Method:
		var ev page.EventJavascriptDialogOpening
		if json.Unmarshal(msg.Params, &ev) == nil {
			s.onDialog(t, &ev, func(accept bool) {
				s.proc.wire.send(raw, page.HandleJavaScriptDialog.Method, page.HandleJavaScriptDialogParams{Accept: accept})
			})
		}
	case page.JavascriptDialogClosed.Method:
		var ev page.EventJavascriptDialogClosed
		if json.Unmarshal(msg.Params, &ev) == nil {
			s.onDialogClosed(t, &ev)
		}
	}
}
