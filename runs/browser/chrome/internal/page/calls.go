package page

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// work begins a call on the current tab: ctx becomes the call's own.
func (s *Session) work(ctx *context.Context) (*tab, func(), error) {
	if err := s.standing.err(); err != nil {
		return nil, nil, err
	}
	limit := s.opts.Call
	waitCtx, waited := s.Bounded(*ctx, limit, "start")
	defer waited()
	t, err := s.tab(waitCtx)
	if err != nil {
		return nil, nil, s.Explain(waitCtx, err)
	}
	callCtx, done := s.during(*ctx, t, limit, "answer")
	*ctx = callCtx
	return t, func() {
		t.silent.Store(errtypes.Is(context.Cause(callCtx), errtypes.GatewayTimeout))
		done()
	}, nil
}

// Bounded derives the context of a call: it ends with ctx, with the session,
// and after limit, each with its own cause.
func (s *Session) Bounded(ctx context.Context, limit time.Duration, what string) (context.Context, func()) {
	return s.Within(ctx, limit, mux.TimeoutError(what, limit))
}

// Within is Bounded with an error of its own for the limit.
func (s *Session) Within(ctx context.Context, limit time.Duration, late error) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	timer := s.opts.Clock.AfterFunc(limit, func() { cancel(late) })
	return ctx, func() {
		stop()
		timer.Stop()
		cancel(nil)
	}
}

// during derives the context of a call that works on the tab: it ends with the
// tab, too, and when a dialog comes to stand in the way.
func (s *Session) during(ctx context.Context, t *tab, limit time.Duration, what string) (context.Context, func()) {
	ctx, cancel := s.Bounded(ctx, limit, what)
	ctx, cancelTab := context.WithCancelCause(ctx)
	work := t.working()
	stop := context.AfterFunc(work, func() { cancelTab(context.Cause(work)) })
	stopStanding := s.standing.whenOne(cancelTab)
	return ctx, func() {
		stop()
		stopStanding()
		cancelTab(nil)
		cancel()
	}
}

// Explain turns an error into what the caller gets. When ctx has ended, its
// cause is the reason; when the browser is being lost, its death is waited
// for, since that knows more.
func (s *Session) Explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return classify(cause)
	}
	err = s.recall(classify(err))
	gone := errtypes.Is(err, errtypes.Canceled) // by nobody who called: what was spoken to has gone
	if gone {
		err = ErrTabClosed.WithCause(err)
	}
	failed := s.h.Failed()
	if failed == nil { // it has not started
		return err
	}
	if gone || errtypes.Is(err, errtypes.Unavailable) {
		timer := s.opts.Clock.NewTimer(time.Second)
		defer timer.Stop()
		select {
		case <-s.ended:
			return context.Cause(s.ctx)
		case <-failed: // which it may have before it knew of the session
			s.h.Die()
			return context.Cause(s.ctx)
		case <-timer.C():
		}
	}
	return err
}
