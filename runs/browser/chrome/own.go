package chrome

import (
	"context"
	"errors"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// sole is the process of a session that shares it with no other. The session is
// the process's default browser context, which is where a profile is kept, and
// the process's proxy is the session's.
type sole struct {
	profile string // the caller's; empty for one that goes with the process
	once    sync.Once
	err     error // that of Close
}

// wantsOwn reports whether the session needs a process of its own.
func wantsOwn(o browser.Options) bool {
	return o.OwnProcess || o.Profile != nil || len(o.Extensions) > 0
}

// openOwn opens a session in a process of its own.
func (p *Provider) openOwn(ctx context.Context, o browser.Options) (browser.Session, error) {
	profile, err := p.claimProfile(o.Profile)
	if err != nil {
		return nil, err
	}
	if err := p.acquire(ctx); err != nil {
		p.releaseProfile(profile)
		return nil, err
	}
	p.makeRoom()
	s := newSession(p, o)
	s.sole = &sole{profile: profile}
	s.visitors.alone = true
	if err := p.register(s); err != nil {
		p.releaseProfile(profile)
		return nil, err
	}
	if err := s.beginOwn(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// beginOwn makes the session's proxy, starts its process and opens the first
// tab. Close waits for it, so that no process is left behind.
func (s *session) beginOwn(ctx context.Context) error {
	if !s.admit() {
		return context.Cause(s.ctx)
	}
	defer s.wg.Done()
	ctx, cancel := s.bounded(ctx, s.p.opts.Timeouts.Start, "open")
	defer cancel()
	s.beginWatch()
	if err := s.makeProxy(); err != nil {
		return err
	}
	if err := s.startOwn(ctx); err != nil {
		return s.explain(ctx, err)
	}
	if err := s.takeContext(ctx); err != nil {
		return s.explain(ctx, err)
	}
	if err := s.loadExtensions(ctx); err != nil {
		return s.explain(ctx, err)
	}
	_, err := s.newTab(ctx)
	return s.explain(ctx, err)
}

// startOwn starts the process behind the session's proxy.
func (s *session) startOwn(ctx context.Context) error {
	path, err := findExec(s.p.opts.ExecPath)
	if err != nil {
		return err
	}
	dir, deny, err := s.p.room()
	if err != nil {
		return err
	}
	o := s.p.kindOptions(kindOf(s.options()))
	o.profile, o.away = s.sole.profile, deny
	if o.extensions, err = readExtensions(s.options().Extensions); err != nil {
		return err
	}
	if err := tidyProfile(o.profile); err != nil {
		return errtypes.New(errtypes.Unavailable, "the profile cannot be made ready").WithCause(err)
	}
	proc, err := startProcess(ctx, o, path, dir, s.proxy.Addr())
	if err != nil {
		return err
	}
	proc.asking.Go(proc.watchSize)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proc = proc
	return nil
}

// takeContext makes the default browser context the session's.
func (s *session) takeContext(ctx context.Context) error {
	res, err := cdp.Call(ctx, s.proc.session(), target.GetBrowserContexts, cdp.Empty{})
	if err != nil {
		return err
	}
	if res.DefaultBrowserContextID == "" {
		return errtypes.New(errtypes.Unavailable, "this browser is too old: it does not name its default context")
	}
	s.contextID = res.DefaultBrowserContextID
	if !s.proc.add(s) {
		s.die(errors.New("it ended while the session was being opened"))
		return errDied
	}
	return s.applyDownloads(ctx, s.contextID)
}

// endOwn ends the process once it is there: in order where a profile is to be
// kept.
func (s *session) endOwn() {
	s.mu.Lock()
	proc := s.proc
	s.mu.Unlock()
	if proc == nil {
		return
	}
	s.sole.once.Do(func() {
		if s.sole.profile == "" {
			proc.stop()
		} else {
			s.sole.err = proc.leave()
		}
	})
}

// leaveOwn is endOwn once nothing can be started any more.
func (s *session) leaveOwn() {
	if s.sole != nil {
		s.endOwn()
		s.p.releaseProfile(s.sole.profile)
	}
}

// result is what Close returns.
func (o *sole) result() error {
	if o == nil {
		return nil
	}
	return o.err
}
