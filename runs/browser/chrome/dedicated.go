package chrome

import (
	"context"
	"errors"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// dedicated is the process of a session that shares it with no other. The session
// is the process's default browser context, which is where a profile is kept, and
// the process's proxy is the session's.
type dedicated struct {
	profile    string // the caller's; empty for one that goes with the process
	extensions []extension
	once       sync.Once
	err        error // that of Close
}

// needsDedicated reports whether the session needs a process of its own.
func needsDedicated(o browser.Options) bool {
	return o.OwnProcess || o.Profile != nil || len(o.Extensions) > 0
}

// openDedicated opens a session in a process of its own. It has the memory for it
// before it waits for a slot, as who opens one in a common process has that.
func (p *Provider) openDedicated(ctx context.Context, o browser.Options) (browser.Session, error) {
	turn := p.slots.Turn()
	profile, err := p.claimProfile(o.Profile)
	if err != nil {
		return nil, err
	}
	s := newSession(p, o)
	s.dedicated = &dedicated{profile: profile}
	if err := p.admitDedicated(ctx, s, turn); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.beginDedicated(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// admitDedicated gives a session memory and a slot.
func (p *Provider) admitDedicated(ctx context.Context, s *session, turn int64) (err error) {
	if s.grant, err = p.fleet.Reserve(ctx, s.Options().Project, process.ProcessBytes+process.TabBytes); err != nil {
		return err
	}
	if err := p.acquire(ctx, turn); err != nil {
		return err
	}
	return p.register(s)
}

// beginDedicated starts the session's process and opens its first tab.
func (s *session) beginDedicated(ctx context.Context) error {
	return s.opening(ctx, func(ctx context.Context) error {
		for _, step := range []func(context.Context) error{s.startDedicated, s.takeContext, s.loadExtensions, s.NewTab} {
			if err := step(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// startDedicated starts the process behind the session's proxy.
func (s *session) startDedicated(ctx context.Context) error {
	path, err := process.FindExec(s.p.opts.ExecPath)
	if err != nil {
		return err
	}
	deny, err := s.p.denyAddr()
	if err != nil {
		return err
	}
	if s.dedicated.extensions, err = readExtensions(s.Options().Extensions); err != nil {
		return err
	}
	if err := tidyProfile(s.dedicated.profile); err != nil {
		return errtypes.New(errtypes.Unavailable, "the profile cannot be made ready").WithCause(err)
	}
	o := process.KindOf(s.Options()).Of(s.p.browsers)
	o.Profile, o.Away, o.ProfileBytes = s.dedicated.profile, deny, s.p.opts.Limits.ProfileBytes
	o.Extensions, o.Preferences = len(s.dedicated.extensions) > 0, extensionPreferences(s.dedicated.extensions)
	proc, err := process.Start(ctx, o, path, s.proxy.Addr(), s.grant)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running.Store(proc)
	return nil
}

// takeContext makes the default browser context the session's.
func (s *session) takeContext(ctx context.Context) error {
	res, err := cdp.Call(ctx, s.process().Browser(), target.GetBrowserContexts, cdp.Empty{})
	if err != nil {
		return err
	}
	if res.DefaultBrowserContextID == "" {
		return errtypes.New(errtypes.Unavailable, "this browser is too old: it does not name its default context")
	}
	s.SetContextID(res.DefaultBrowserContextID)
	if !s.process().Add(s.ContextID(), s) {
		s.Die(errors.New("it ended while the session was being opened"))
		return page.ErrDied
	}
	return s.applyDownloads(ctx, s.ContextID())
}

// stopDedicated ends the process once it is there: in order where a profile is to be
// kept.
func (s *session) stopDedicated() {
	s.mu.Lock()
	proc := s.process()
	s.mu.Unlock()
	if proc == nil {
		return
	}
	s.dedicated.once.Do(func() {
		if s.dedicated.profile == "" {
			proc.Stop()
		} else {
			s.dedicated.err = proc.Shutdown()
		}
	})
}

// endDedicated is stopDedicated once nothing can be started any more.
func (s *session) endDedicated() {
	if s.dedicated != nil {
		s.stopDedicated()
		s.p.releaseProfile(s.dedicated.profile)
	}
}

// result is what Close returns.
func (d *dedicated) result() error {
	if d == nil {
		return nil
	}
	return d.err
}

// storedProfile is the caller's; empty for none.
func (d *dedicated) storedProfile() string {
	if d == nil {
		return ""
	}
	return d.profile
}
