package chrome

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// work begins a call on the current tab: ctx becomes the call's own.
func (s *session) work(ctx *context.Context) (*tab, func(), error) {
	limit := s.p.opts.Timeouts.Call
	waitCtx, waited := s.bounded(*ctx, limit, "start")
	defer waited()
	t, err := s.tab(waitCtx)
	if err != nil {
		return nil, nil, s.explain(waitCtx, err)
	}
	callCtx, done := s.during(*ctx, t, limit, "answer")
	*ctx = callCtx
	return t, func() {
		t.silent.Store(errtypes.Is(context.Cause(callCtx), errtypes.GatewayTimeout))
		done()
	}, nil
}

// bounded derives the context of a call: it ends with ctx, with the session,
// and after limit, each with its own cause.
func (s *session) bounded(ctx context.Context, limit time.Duration, what string) (context.Context, func()) {
	return s.within(ctx, limit, errTimeout(what, limit))
}

// within is bounded with an error of its own for the limit.
func (s *session) within(ctx context.Context, limit time.Duration, late error) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	timer := s.p.opts.Clock.AfterFunc(limit, func() { cancel(late) })
	return ctx, func() {
		stop()
		timer.Stop()
		cancel(nil)
	}
}

// during derives the context of a call that works on the tab: it ends with the
// tab, too.
func (s *session) during(ctx context.Context, t *tab, limit time.Duration, what string) (context.Context, func()) {
	ctx, cancel := s.bounded(ctx, limit, what)
	ctx, cancelTab := context.WithCancelCause(ctx)
	work := t.working()
	stop := context.AfterFunc(work, func() { cancelTab(context.Cause(work)) })
	return ctx, func() {
		stop()
		cancelTab(nil)
		cancel()
	}
}

// explain turns an error into what the caller gets. When ctx has ended, its
// cause is the reason; when the browser is being lost, its death is waited
// for, since that knows more.
func (s *session) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return classify(cause)
	}
	err = classify(err)
	gone := errtypes.Is(err, errtypes.Canceled) // by nobody who called: what was spoken to has gone
	if gone {
		err = errTabClosed.WithCause(err)
	}
	if s.proc == nil { // which has not started
		return err
	}
	if gone || errtypes.Is(err, errtypes.Unavailable) {
		timer := s.p.opts.Clock.NewTimer(time.Second)
		defer timer.Stop()
		select {
		case <-s.ended:
			return context.Cause(s.ctx)
		case <-s.proc.failed: // which it may have before it knew of the session
			s.die(s.proc.why())
			return context.Cause(s.ctx)
		case <-timer.C():
		}
	}
	return err
}
