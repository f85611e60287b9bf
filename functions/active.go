package functions

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/sessions"
)

// active is what an invocation has while its handler works.
type active struct {
	s      *service
	ctx    context.Context // ends with the invocation, and when its handler has returned
	end    context.CancelCauseFunc
	create sessions.Create
	log    *joblog.Log
	// secrets are those of the function, by their names.
	secrets map[string]string
	// opening is held by who opens the browser, which may wait for a place.
	opening chan struct{}

	mu      sync.Mutex
	session browser.Session
	// unopened is why the browser could not be opened, the last time.
	unopened error
	over     bool
}

// errNotActive is the use of a record as if it were what a handler gets.
var errNotActive = errtypes.New(errtypes.Conflict, "the invocation is not executed here")

// Browser returns the browser session of the invocation, which it opens at the
// first call: with the id SessionID and the settings of the function. It ends
// with the invocation; what it has downloaded stays. Where no browser is free, it
// waits for one. Error kinds: those of sessions.Service.Open but RateLimited and
// Unavailable; Conflict outside of a handler.
func (inv *Invocation) Browser(ctx context.Context) (_ browser.Session, err error) {
	defer errtypes.Wrap(&err, "functions.Browser")
	if inv.active == nil {
		return nil, errNotActive
	}
	return inv.active.browser(ctx)
}

// Logger returns a logger whose lines become the log of the invocation. Outside
// of a handler nobody hears it.
func (inv *Invocation) Logger() *slog.Logger {
	if inv.active == nil {
		return slog.New(slog.DiscardHandler)
	}
	return inv.active.log.Logger()
}

func newActive(ctx context.Context, s *service, create sessions.Create) *active {
	a := &active{s: s, create: create, opening: make(chan struct{}, 1)}
	a.ctx, a.end = context.WithCancelCause(ctx)
	return a
}

func (a *active) browser(ctx context.Context) (browser.Session, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(a.ctx, func() { cancel(context.Cause(a.ctx)) })()
	select {
	case a.opening <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-a.opening }()
	if session, err := a.opened(); session != nil || err != nil {
		return session, err
	}
	session, err := a.open(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case err == nil:
		a.session = session
	case ctx.Err() == nil:
		a.unopened = err
	}
	return session, err
}

// opened returns the browser if there is one.
func (a *active) opened() (browser.Session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return nil, errNotActive
	}
	return a.session, nil
}

// lacking is the end of an invocation whose browser could not be opened, which is
// not the function's fault (DECISIONS 26); false where it was, or none was wanted.
func (a *active) lacking() (ending, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unopened == nil || a.session != nil {
		return ending{}, false
	}
	why := errtypes.Public(a.unopened).Message
	if errtypes.Is(a.unopened, errtypes.Conflict) {
		why = "CONTEXT_IN_USE: " + why
	}
	return failed(CauseInternal, "the browser of the invocation could not be opened: %s", why), true
}

// placePause is how long it waits before it asks for a place again.
const placePause = 500 * time.Millisecond

// open waits for a place where all are taken.
func (a *active) open(ctx context.Context) (browser.Session, error) {
	for {
		session, err := a.s.conf.Sessions.OpenFor(ctx, a.create.ProjectID, a.create)
		if !errtypes.Is(err, errtypes.Unavailable) && !errtypes.Is(err, errtypes.RateLimited) {
			return session, err
		}
		if wait := clock.Sleep(ctx, a.s.conf.Clock, placePause); wait != nil {
			return nil, errors.Join(err, context.Cause(ctx))
		}
	}
}

// errHandled ends what a handler has begun and does not wait for.
var errHandled = errtypes.New(errtypes.Conflict, "the handler of the invocation has returned")

// close ends the session and takes back what the handler was given. Who still waits
// for a place waits no more.
func (a *active) close() {
	a.end(errHandled)
	a.opening <- struct{}{} // nobody opens it any more
	defer func() { <-a.opening }()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.session == nil {
		return
	}
	if err := a.session.Close(); err != nil {
		a.s.conf.Logger.Warn("functions: the session of an invocation did not end in order", "session", a.session.ID(), "error", err)
	}
}
