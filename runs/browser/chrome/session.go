package chrome

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// A session is one isolated browser context with its proxy and its tabs.
type session struct {
	*page.Session
	p *Provider

	pool      *process.Pool // that the process is of; nil for one of the session's own
	dedicated *dedicated    // set in place of it
	failed    failures
	downloads *downloads
	uploads   uploads

	handing     context.Context // of the files that are handed over
	stopHanding context.CancelCauseFunc

	running atomic.Pointer[process.Process] // set once it is there

	mu    sync.Mutex
	proxy Proxy
	grant *admission.Grant // of memory; nil while it is not counted
	dir   string           // of the session's files; "" until there are any
	done  chan struct{}    // closed last: nothing is left
	// disposed says that the context has been; for Close alone.
	disposed bool
	once     sync.Once
}

var _ browser.Session = (*session)(nil)

func newSession(p *Provider, o browser.Options) *session {
	s := &session{p: p, downloads: newDownloads(), done: make(chan struct{})}
	s.Session = page.New(pagesHost{inBrowser{s}}, o, p.pages)
	s.Pictures = mux.NewPictures(clientsHost{inBrowser{s}}, p.mux)
	s.Clients = mux.NewClients(clientsHost{inBrowser{s}}, s.Pictures, p.mux)
	s.handing, s.stopHanding = context.WithCancelCause(context.Background())
	return s
}

// process is the one that the session is in; nil until there is one.
func (s *session) process() *process.Process { return s.running.Load() }

// begin makes the session's context in a process, and its first tab.
func (s *session) begin(ctx context.Context, proc *process.Process) error {
	if err := proc.Honours(s.Options()); err != nil {
		return err
	}
	return s.opening(ctx, func(ctx context.Context) error {
		s.running.Store(proc)
		if err := s.createContext(); err != nil {
			return err
		}
		return s.NewTab(ctx)
	})
}

// opening makes the session's proxy, and then what it stands before. Close waits for
// it, so that nothing is left behind.
func (s *session) opening(ctx context.Context, begin func(context.Context) error) error {
	if !s.Admit() {
		return context.Cause(s.Context())
	}
	defer s.Leave()
	ctx, cancel := s.Bounded(ctx, s.p.opts.Timeouts.Start, "open")
	defer cancel()
	s.BeginWatch()
	if err := s.makeProxy(); err != nil {
		return err
	}
	return s.Explain(ctx, begin(ctx))
}

// makeProxy makes the session's proxy.
func (s *session) makeProxy() error {
	proxy, err := s.p.opts.Proxy(s.onFailed)
	if err != nil {
		return errtypes.New(errtypes.Unavailable, "the session's proxy does not start").WithCause(err)
	}
	proxy.Use(s.Options().Egress)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proxy = proxy
	return nil
}

// createContext does not end with the caller, since a context that is made for
// nobody would stay.
func (s *session) createContext() error {
	ctx, cancel := s.process().Within(s.p.opts.Timeouts.Start)
	defer cancel()
	res, err := cdp.Call(ctx, s.process().Browser(), target.CreateBrowserContext, s.ContextParams())
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	s.SetContextID(res.BrowserContextID)
	if !s.process().Add(s.ContextID(), s) {
		s.Die(s.process().Why())
		return context.Cause(s.Context())
	}
	if err := s.applyDownloads(ctx, s.ContextID()); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	return nil
}

// ContextParams are those of every context of the session: its own proxy, which
// a browser that cannot reach it goes without.
func (s *session) ContextParams() target.CreateBrowserContextParams {
	p := target.CreateBrowserContextParams{DisposeOnDetach: new(true)}
	if s.process().Reaches().Proxy {
		p.ProxyServer, p.ProxyBypassList = "http://"+s.proxy.Addr(), "<-loopback>"
	}
	return p
}

// Die implements [process.Session]: it ends the session because its browser has ended.
func (s *session) Die(cause error) {
	switch known := (*errtypes.Error)(nil); {
	case errors.Is(cause, process.ErrStopped):
		s.End(page.ErrEnded)
	case errors.As(cause, &known):
		s.End(cause)
	default:
		s.End(page.ErrDied.WithCause(cause))
	}
}

// Close implements [browser.Session].
func (s *session) Close() error {
	s.once.Do(func() {
		s.End(page.ErrEnded)
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
	s.Release(s.disposeContext)
	s.disposeContext() // of one that was being made then
	s.endDedicated()   // it may only just have been started
	s.stopHanding(nil)
	s.removeFolder()
	s.EndWatch()
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
	if s.ContextID() == "" || s.disposed {
		return
	}
	s.disposed = true
	ctx, cancel := s.process().Within(s.p.opts.Timeouts.Close)
	defer cancel()
	_, err := cdp.Call(ctx, s.process().Browser(), target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: s.ContextID()})
	s.process().Remove(s.ContextID())
	if err != nil && s.process().Alive() {
		// What cannot be disposed of may still run a page, so the browser has
		// to go. Other sessions go with it, but it has ceased to answer.
		s.p.opts.Logger.Error("chrome: a session's context cannot be disposed of; the browser is ended", "session", s.ID(), "error", err)
		s.pool.Abandon(s.process(), process.ErrHung(s.p.opts.Timeouts.Close))
	}
}
