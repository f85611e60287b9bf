package chrome

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// onPaused hears of a page that waits, before its first script, for whoever
// attached to it. That is the browser's own automatic attachment, whose session
// is raw: it alone can let the page go, which is all that it is used for. It
// does when the session hears of the page and clients are ready.
func (s *session) onPaused(info *target.Info, raw target.SessionID) {
	t := s.adopt(info)
	if t == nil { // it is being closed, for which it must not wait
		s.spawn(func() { s.proc.wire.send(raw, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{}) })
		return
	}
	t.waited.Store(true)
	h := s.visitors.hold(info)
	s.spawn(func() {
		s.awaitReady(t, h)
		s.proc.wire.send(raw, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{})
		s.visitors.begun(t.id)
		ctx, cancel := s.bounded(context.Background(), s.p.opts.Timeouts.Close, "start")
		defer cancel()
		cdp.Call(ctx, s.proc.session(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: raw})
	})
}
