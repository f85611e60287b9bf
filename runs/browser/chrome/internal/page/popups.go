package page

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// TargetPaused hears of a page that waits, before its first script, for whoever
// attached to it. That is the browser's own automatic attachment, whose session
// is raw: it alone can let the page go, which is all that it is used for. It
// does when the session hears of the page and clients are ready.
func (s *Session) TargetPaused(info *target.Info, raw target.SessionID) {
	t := s.adopt(info)
	if t == nil { // it is being closed, for which it must not wait
		s.Spawn(func() { s.h.Wire().Send(raw, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{}) })
		return
	}
	t.waited.Store(true)
	h := s.Clients.Hold(info)
	s.Spawn(func() {
		s.Clients.AwaitReady(t, h)
		s.h.Wire().Send(raw, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{})
		s.Clients.Begun(t.id)
		ctx, cancel := s.Bounded(context.Background(), s.opts.Close, "start")
		defer cancel()
		cdp.Call(ctx, s.h.Browser(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: raw})
	})
}
