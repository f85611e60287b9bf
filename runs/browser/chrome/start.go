package chrome

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/runs/browser"
)

// startOne starts a browser for several sessions, or connects to the one that
// runs elsewhere.
func (p *Provider) startOne(ctx context.Context, kind launchKind, g *admission.Grant) (*process, error) {
	if p.opts.RemoteURL != "" {
		return connectRemote(ctx, p.opts)
	}
	deny, err := p.denyAddr()
	if err != nil {
		return nil, err
	}
	path, err := findExec(p.opts.ExecPath)
	if err != nil {
		return nil, err
	}
	return startProcess(ctx, p.kindOptions(kind), path, deny, g)
}

// denyAddr is the address of the proxy that refuses everything, which is made on
// the first call.
func (p *Provider) denyAddr() (_ string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.deny == nil {
		if p.deny, err = newDenyProxy(); err != nil {
			return "", errtypes.New(errtypes.Unavailable, "no port is free for the browser's proxy").WithCause(err)
		}
	}
	return p.deny.addr(), nil
}

// newSpare makes a session that somebody may open later.
func (p *Provider) newSpare(ctx context.Context, l *pool, proc *process) (spare, error) {
	s := newSession(p, spareOptions())
	s.pool = l
	if err := s.begin(ctx, proc); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func spareOptions() browser.Options {
	o, _ := checked(browser.Options{ID: "spare " + ids.New()})
	return o
}

// ready reports whether a spare is as it was made.
func (s *session) ready() bool { return s.Fresh() }

// become gives a spare its name and its options.
func (s *session) become(ctx context.Context, o browser.Options) error {
	ctx, cancel := s.Bounded(ctx, s.p.opts.Timeouts.Start, "open")
	defer cancel()
	if err := s.proc.honours(o); err != nil {
		return err
	}
	made := s.SetOptions(o)
	s.proxy.Use(o.Egress)
	if o.Downloads != nil {
		if err := s.applyDownloads(ctx, s.ContextID()); err != nil {
			return s.Explain(ctx, err)
		}
	}
	return s.Explain(ctx, s.Settle(ctx, made))
}
