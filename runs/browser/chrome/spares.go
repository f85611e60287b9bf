package chrome

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/runs/browser"
)

// Making a session takes a tenth of a second or two, nearly all of it the
// browser's. So a few are made in advance: each a context of its own with its
// own proxy and an empty tab, in which nothing has ever been loaded. A spare
// becomes one session, once; what it was made without, its options, it is given
// then. Spares live and end with the process they are in.

// openSpare makes a spare session the one that is asked for; nil if none is
// ready. The caller has a slot, and keeps it then.
func (p *Provider) openSpare(ctx context.Context, o browser.Options) (*session, error) {
	for {
		s := p.takeSpare()
		if s == nil {
			return nil, nil
		}
		err := s.become(ctx, o)
		if err == nil {
			return s, nil
		}
		p.opts.Logger.Debug("chrome: a spare session cannot be used", "session", o.ID, "error", err)
		if !p.discard(s) {
			return nil, errProviderClosed
		}
	}
}

// takeSpare counts a spare in as an open session.
func (p *Provider) takeSpare() *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.spares) > 0 && !p.closed {
		s := p.spares[0]
		p.spares = p.spares[1:]
		if s.proc == p.proc && s.ready() {
			p.open[s] = struct{}{}
			p.stopIdle()
			return s
		}
		p.ending.Go(func() { s.Close() })
	}
	return nil
}

// discard ends a session that cannot be used. The slot stays the caller's,
// unless Close has ended the spare already.
func (p *Provider) discard(s *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false // Close has taken it, and gives its slot back
	}
	delete(p.open, s)
	p.ending.Go(func() { s.Close() })
	return true
}

// dropSpares ends them all. The lock is held.
func (p *Provider) dropSpares() {
	for _, s := range p.spares {
		p.ending.Go(func() { s.Close() })
	}
	p.spares = nil
}

// refillPause is how long the making of spares is put off while there are some:
// it keeps the browser busy for a tenth of a second, in which the session that
// has just been opened is likely to load its first page.
const refillPause = 200 * time.Millisecond

// refill begins to make spares if some are missing.
func (p *Provider) refill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.filling || !p.missing() {
		return
	}
	p.filling = true
	pause := refillPause
	if len(p.spares) == 0 {
		pause = 0
	}
	p.ending.Go(func() {
		if pause == 0 || p.rest(pause) {
			p.fill()
		}
	})
}

// rest reports false when the provider has been closed meanwhile.
func (p *Provider) rest(d time.Duration) bool {
	timer := p.opts.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return true
	case <-p.life.Done():
		return false
	}
}

// missing reports whether a spare should be made. Without a process there are
// none: it is started by who needs it. The lock is held.
func (p *Provider) missing() bool {
	return !p.closed && p.proc != nil && p.proc.alive() && len(p.spares) < p.opts.Spares &&
		p.roomy(1)
}

// roomy reports whether there may be so many more spares: with the sessions
// that are open, of whatever kind, they are never more than MaxSessions. The
// lock is held.
func (p *Provider) roomy(more int) bool {
	return int(p.slots.taken.Load())+len(p.spares)+more <= p.opts.MaxSessions
}

// makeRoom ends the spares that a session of another kind takes the place of.
func (p *Provider) makeRoom() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.spares) > 0 && !p.roomy(0) {
		s := p.spares[0]
		p.spares = p.spares[1:]
		p.ending.Go(func() { s.Close() })
	}
}

// fill makes spares, one after the other, until none is missing.
func (p *Provider) fill() {
	for {
		proc := p.fillNext()
		if proc == nil {
			return
		}
		s := newSession(p, spareOptions())
		if err := s.begin(p.life, proc); err != nil {
			p.opts.Logger.Debug("chrome: a spare session cannot be made", "error", err)
			s.Close()
			p.stopFilling()
			return
		}
		p.keep(s)
	}
}

// fillNext returns the process to make the next spare in; nil ends the filling.
func (p *Provider) fillNext() *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.missing() {
		p.filling = false
		return nil
	}
	return p.proc
}

// stopFilling gives up until somebody opens a session again.
func (p *Provider) stopFilling() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.filling = false
}

// keep puts a spare by, unless its place has been taken while it was made.
func (p *Provider) keep(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || !p.roomy(1) {
		p.ending.Go(func() { s.Close() })
		return
	}
	p.spares = append(p.spares, s)
}

func spareOptions() browser.Options {
	o, _ := checked(browser.Options{ID: "spare " + ids.New()})
	return o
}

// ready reports whether a spare is as it was made: its browser lives, and so
// does its one tab.
func (s *session) ready() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx.Err() == nil && len(s.tabs) == 1 && s.tabs[0].working().Err() == nil
}

// become gives a spare its name and its options.
func (s *session) become(ctx context.Context, o browser.Options) error {
	ctx, cancel := s.bounded(ctx, s.p.opts.Timeouts.Start, "open")
	defer cancel()
	if err := s.proc.honours(o); err != nil {
		return err
	}
	s.mu.Lock()
	made := s.o
	s.o = o
	t := s.tabs[0]
	s.mu.Unlock()
	return s.explain(ctx, s.settle(ctx, t, made))
}
