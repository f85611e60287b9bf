package chrome

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// processOptions are those of all browsers.
func processOptions(o Options) process.Options {
	return process.Options{
		RemoteURL: o.RemoteURL, Admission: o.Admission, Children: o.Children, Spares: o.Spares, Logger: o.Logger, Clock: o.Clock, Windowed: o.Windowed,
		Timeouts:  process.Timeouts{Queue: o.Timeouts.Queue, Start: o.Timeouts.Start, Idle: o.Timeouts.Idle, Close: o.Timeouts.Close, Hung: o.Timeouts.Hung},
		Metrics:   process.NewMetrics(o.Telemetry),
		Pixels:    o.Limits.Pixels,
		Proxy:     func(failed func(string, error)) (process.Proxy, error) { return o.Proxy(failed) },
		Unguarded: o.unguarded, Unwatched: o.unwatched, Unmeasured: o.unmeasured,
	}
}

// startOne starts a browser for several sessions, or connects to the one that
// runs elsewhere.
func (p *Provider) startOne(ctx context.Context, kind process.Kind, g *admission.Grant) (*process.Process, error) {
	if p.opts.RemoteURL != "" {
		return process.Connect(ctx, p.browsers)
	}
	deny, err := p.denyAddr()
	if err != nil {
		return nil, err
	}
	path, err := process.FindExec(p.opts.ExecPath)
	if err != nil {
		return nil, err
	}
	return process.Start(ctx, kind.Of(p.browsers), path, deny, g)
}

// denyAddr is the address of the proxy that refuses everything, which is made on
// the first call.
func (p *Provider) denyAddr() (_ string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.deny == nil {
		if p.deny, err = process.NewDenyProxy(); err != nil {
			return "", errtypes.New(errtypes.Unavailable, "no port is free for the browser's proxy").WithCause(err)
		}
	}
	return p.deny.Addr(), nil
}

// newSpare makes a session that somebody may open later.
func (p *Provider) newSpare(ctx context.Context, l *process.Pool, proc *process.Process) (process.Spare, error) {
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

// Ready implements [process.Spare].
func (s *session) Ready() bool { return s.Fresh() }

// become gives a spare its name and its options.
func (s *session) become(ctx context.Context, o browser.Options) error {
	ctx, cancel := s.Bounded(ctx, s.p.opts.Timeouts.Start, "open")
	defer cancel()
	if err := s.process().Honours(o); err != nil {
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
