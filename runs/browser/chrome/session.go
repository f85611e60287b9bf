package chrome

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"golang.org/x/sync/semaphore"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/runs/browser"
)

// A session is one isolated browser context with its proxy and its tabs.
type session struct {
	p *Provider
	o browser.Options

	proc      *process
	pool      *pool      // that the process is of; nil for one of the session's own
	dedicated *dedicated // set in place of it
	proxy     Proxy
	contextID cdp.BrowserContextID
	failed    failures
	downloads *downloads
	watching  atomic.Pointer[observer] // nil where nobody observes
	typed     typedInto                // by clients
	chooser   chooser
	uploads   uploads
	traces    traces
	lane      *semaphore.Weighted // of one place: large pictures come one behind the other
	smallRoom *semaphore.Weighted // the session's share of the room for small ones, in pixels

	handing     context.Context // of the files that are handed over
	stopHanding context.CancelCauseFunc

	ctx  context.Context // ends with the session, with the cause
	stop context.CancelCauseFunc

	mu        sync.Mutex
	closing   bool
	err       error
	tabs      []*tab                     // in the order in which they were opened
	switched  context.CancelCauseFunc    // set by who waits for the current tab to change
	visitors  visitors                   // external clients
	permitted permitted                  // files that they may name
	raises    int                        // of tabs, to the front
	turned    chan struct{}              // closed and replaced when tabs come or go, or another is in front
	frames    map[target.ID]*frameTarget // documents of other sites within the tabs
	numbers   map[cdp.FrameID]int        // of frames, for their refs
	known     map[int]*frame             // the frames of the last snapshot
	next      int                        // the next element's number
	dialogs   []browser.Dialog           // not yet told
	left      dialogs                    // to clients
	grant     *admission.Grant           // of memory; nil while it is not counted
	// own are frames of the pages and the contexts they are in, by which
	// downloads are known.
	own   map[cdp.FrameID]cdp.BrowserContextID
	dir   string         // of the session's files; "" until there are any
	wg    sync.WaitGroup // everything the session started
	ended chan struct{}  // closed first: nothing works any more
	done  chan struct{}  // closed last: nothing is left
	once  sync.Once
}

var _ browser.Session = (*session)(nil)

func newSession(p *Provider, o browser.Options) *session {
	s := &session{
		p: p, o: o, next: 1,
		frames: map[target.ID]*frameTarget{}, numbers: map[cdp.FrameID]int{}, known: map[int]*frame{},
		turned: make(chan struct{}), lane: semaphore.NewWeighted(1), smallRoom: semaphore.NewWeighted(smallOfSession),
		own: map[cdp.FrameID]cdp.BrowserContextID{}, downloads: newDownloads(),
		ended: make(chan struct{}), done: make(chan struct{}),
	}
	s.ctx, s.stop = context.WithCancelCause(context.Background())
	s.handing, s.stopHanding = context.WithCancelCause(context.Background())
	return s
}

// begin makes the session's proxy, context and first tab.
func (s *session) begin(ctx context.Context, proc *process) error {
	ctx, cancel := s.bounded(ctx, s.p.opts.Timeouts.Start, "open")
	defer cancel()
	if err := proc.honours(s.options()); err != nil {
		return err
	}
	s.beginWatch()
	if err := s.makeProxy(); err != nil {
		return err
	}
	s.mu.Lock()
	s.proc = proc
	s.mu.Unlock()
	if err := s.createContext(); err != nil {
		return s.explain(ctx, err)
	}
	_, err := s.newTab(ctx)
	return s.explain(ctx, err)
}

// makeProxy makes the session's proxy.
func (s *session) makeProxy() error {
	proxy, err := s.p.opts.Proxy(s.onFailed)
	if err != nil {
		return errtypes.New(errtypes.Unavailable, "the session's proxy does not start").WithCause(err)
	}
	proxy.Use(s.o.Egress)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proxy = proxy
	return nil
}

// createContext does not end with the caller, since a context that is made for
// nobody would stay.
func (s *session) createContext() error {
	ctx, cancel := s.proc.within(s.p.opts.Timeouts.Start)
	defer cancel()
	res, err := cdp.Call(ctx, s.proc.session(), target.CreateBrowserContext, s.contextParams())
	if err != nil {
		return cmpErr(context.Cause(ctx), err)
	}
	s.contextID = res.BrowserContextID
	if !s.proc.add(s) {
		s.die(s.proc.why())
		return context.Cause(s.ctx)
	}
	if err := s.applyDownloads(ctx, s.contextID); err != nil {
		return cmpErr(context.Cause(ctx), err)
	}
	return nil
}

// contextParams are those of every context of the session: its own proxy, which
// a browser that cannot reach it goes without.
func (s *session) contextParams() target.CreateBrowserContextParams {
	p := target.CreateBrowserContextParams{DisposeOnDetach: new(true)}
	if s.proc.reaches().proxy {
		p.ProxyServer, p.ProxyBypassList = "http://"+s.proxy.Addr(), "<-loopback>"
	}
	return p
}

// ID implements [browser.Session].
func (s *session) ID() string { return s.options().ID }

// options are those that it was opened with; those of a spare until then.
func (s *session) options() browser.Options {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.o
}

// Done implements [browser.Session].
func (s *session) Done() <-chan struct{} { return s.ended }

// Err implements [browser.Session].
func (s *session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// spawn runs f in a goroutine that Close waits for; not once Close has begun.
func (s *session) spawn(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		s.wg.Go(f)
	}
}

// die ends the session because its browser has ended.
func (s *session) die(cause error) {
	switch known := (*errtypes.Error)(nil); {
	case errors.Is(cause, errStopped):
		s.end(errEnded)
	case errors.As(cause, &known):
		s.end(cause)
	default:
		s.end(errDied.WithCause(cause))
	}
}

// end makes every call return, now and from now on, with the cause.
func (s *session) end(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.ended:
		return
	default:
	}
	if cause != error(errEnded) {
		s.err = cause
	}
	s.stop(cause)
	close(s.ended)
}

// Close implements [browser.Session].
func (s *session) Close() error {
	s.once.Do(func() {
		s.end(errEnded)
		s.release()
		s.p.forget(s)
		close(s.done)
	})
	<-s.done
	return s.dedicated.result()
}

// release gives everything back: the context with its targets first, so that
// nothing is loaded any more when the proxy goes.
func (s *session) release() {
	s.finish()
	s.mu.Lock()
	s.closing = true
	tabs := slices.Clone(s.tabs)
	for _, f := range s.frames {
		if f.cancel != nil {
			s.wg.Go(f.cancel)
		}
	}
	s.mu.Unlock()
	s.disposeContext()
	for _, t := range tabs {
		t.detach()
	}
	s.wg.Wait()
	s.endDedicated() // it may only just have been started
	s.stopHanding(nil)
	s.removeFolder()
	s.watch().close()
	if s.proxy != nil {
		if err := s.proxy.Close(); err != nil {
			s.p.opts.Logger.Warn("chrome: a session's proxy does not close cleanly", "session", s.ID(), "error", err)
		}
	}
}

// disposeContext closes the session's targets and forgets its data.
func (s *session) disposeContext() {
	if s.dedicated != nil {
		s.stopDedicated()
		return
	}
	if s.contextID == "" {
		return
	}
	ctx, cancel := s.proc.within(s.p.opts.Timeouts.Close)
	defer cancel()
	_, err := cdp.Call(ctx, s.proc.session(), target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: s.contextID})
	s.proc.drop(s)
	if err != nil && s.proc.alive() {
		// What cannot be disposed of may still run a page, so the browser has
		// to go. Other sessions go with it, but it has ceased to answer.
		s.p.opts.Logger.Error("chrome: a session's context cannot be disposed of; the browser is ended", "session", s.ID(), "error", err)
		s.pool.abandon(s.proc, errHung(s.p.opts.Timeouts.Close))
	}
}
