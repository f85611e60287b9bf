// Package chrome opens browser sessions in the Chromium of the machine. It is
// the only package that knows chromedp.
//
// Each project has a Chromium process of its own: a session is an isolated
// browser context in it, with cookies, storage, cache and a forward proxy of its
// own. The process is started by the project's first Open, which begins to keep a
// few spare sessions ready for the next ones. It ends some time after the last
// session has closed, and is spoken to over a pipe; no debugging port is ever
// open. It ends with its host, however the host ends; what is left of it then is
// ended and removed by the next host with the same TempDir: see package child.
//
// What reaches the network: the process's own proxy refuses everything, and
// each session overrides it with a proxy that the host makes. Names are looked
// up by that proxy, never by the browser, and UDP past the proxy is off.
package chrome

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// A Provider opens sessions; see [browser.Provider].
type Provider struct {
	opts Options
	life context.Context // ended by Close
	end  context.CancelCauseFunc

	slots    *process.Slots
	fleet    *process.Fleet
	mux      mux.Options     // of the clients of all sessions
	pages    page.Options    // of their pages
	browsers process.Options // and of their browsers

	mu      sync.Mutex
	closed  bool
	opening sync.WaitGroup        // calls of Open
	open    map[*session]struct{} // those that are being opened, too
	deny    *process.DenyProxy    // made with the first process
	stored  map[string]bool       // profiles that a session uses
	own     *child.Manager        // Children where it is the provider's own; else nil
}

var _ browser.Provider = (*Provider)(nil)

// New returns a provider. It starts no browser, and unless Children is given it
// removes what hosts that have died have left in TempDir; else Sweep does. The error's kind is Invalid for
// settings that cannot be.
func New(o Options) (_ *Provider, err error) {
	defer errtypes.Wrap(&err, "chrome.New")
	if o.Gate == nil && o.Proxy == nil {
		return nil, errtypes.Field("Gate", "must be set: a session has no other way out")
	}
	if o.MaxSessions < 0 || o.MaxTabs < 0 || o.MaxMemory < 0 {
		return nil, errtypes.Field("MaxSessions", "MaxTabs and MaxMemory must not be negative")
	}
	o = o.withDefaults()
	if o.TempDir, err = filepath.Abs(o.TempDir); err != nil {
		return nil, errtypes.Field("TempDir", "cannot be resolved").WithCause(err)
	}
	if o.RemoteURL != "" {
		if _, err := process.ParseRemote(o.RemoteURL); err != nil {
			return nil, err
		}
	}
	if o.Admission == nil {
		if o.Admission, err = admission.New(admission.Options{Memory: o.MaxMemory, Clock: o.Clock}); err != nil {
			return nil, err
		}
	}
	var own *child.Manager
	if o.Children == nil {
		if own, err = child.Open(o.ChildOptions()); err != nil {
			return nil, err
		}
		o.Children = own
		sweepProfiles(o.TempDir, o.Logger) // what used them has been ended before
	}
	p := newProvider(o)
	p.own = own
	return p, nil
}

func newProvider(o Options) *Provider {
	p := &Provider{opts: o, open: map[*session]struct{}{}, stored: map[string]bool{}, slots: process.NewSlots(o.MaxSessions), mux: muxOptions(o), pages: pageOptions(o), browsers: processOptions(o)}
	p.life, p.end = context.WithCancelCause(context.Background())
	p.fleet = process.NewFleet(p.life, p.browsers, p.startOne, p.newSpare)
	p.browsers.Metrics.Read(o.Telemetry, p.fleet, p.slots)
	return p
}

// Open implements [browser.Provider]. When MaxSessions are open, it waits for
// one to end, and when there is no memory for a further browser, for one that
// nobody uses any more. The error's kind is Unavailable then, not RateLimited:
// the limits are the machine's, shared by all projects, and none that this caller
// has exceeded. It is Conflict where a remote browser serves another project.
func (p *Provider) Open(ctx context.Context, o browser.Options) (_ browser.Session, err error) {
	if o.ID == "" {
		o.ID = ids.New()
	}
	defer errtypes.Wrap(&err, "chrome.Open(%q)", o.ID)
	if o, err = checked(o); err != nil {
		return nil, err
	}
	if err := p.remoteHonours(o); err != nil {
		return nil, err
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.opening.Done()
	if p.opts.Timeouts.Queue < 0 && p.slots.Full() {
		return nil, p.full()
	}
	if needsDedicated(o) {
		return p.openDedicated(ctx, o)
	}
	return p.openShared(ctx, o)
}

// enter counts a call of Open in, which Close waits for.
func (p *Provider) enter() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return process.ErrClosed
	}
	p.opening.Add(1)
	return nil
}

// openShared opens a session in the process of its project. It has that before
// it waits for a slot: who waits for a process keeps no slot from others.
func (p *Provider) openShared(ctx context.Context, o browser.Options) (browser.Session, error) {
	turn := p.slots.Turn()
	l, err := p.fleet.Join(p.ownerOf(o))
	if err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		proc, err := p.ready(ctx, l, o, turn)
		if err != nil {
			l.Leave()
			return nil, err
		}
		s, err := p.openIn(ctx, l, proc, o)
		switch {
		case err == nil:
			l.Refill()
			p.fleet.Prepare()
			return s, nil
		case s == nil:
			return nil, err
		case proc.Alive() || !first || ctx.Err() != nil || !p.discard(s):
			s.Close()
			return nil, err
		}
		p.slots.Give() // the browser has ended meanwhile, and gives way to another, once
	}
}

// ownerOf is whose process a session is opened in.
func (p *Provider) ownerOf(o browser.Options) process.Owner {
	if p.opts.RemoteURL != "" && p.opts.RemoteShared {
		return process.Owner{Kind: process.KindOf(o)}
	}
	return process.Owner{Project: o.Project, Kind: process.KindOf(o)}
}

// ready returns when the pool has a process that can do what is asked for, and
// the session a slot.
func (p *Provider) ready(ctx context.Context, l *process.Pool, o browser.Options, turn int64) (*process.Process, error) {
	proc, err := l.Process(ctx)
	if err == nil {
		err = proc.Honours(o)
	}
	if err == nil {
		err = p.acquire(ctx, turn)
	}
	return proc, err
}

// openIn opens a session in a process. The caller has a slot and has joined the
// pool; both are the session's then, also where it is returned with an error, and
// given back where there is none.
func (p *Provider) openIn(ctx context.Context, l *process.Pool, proc *process.Process, o browser.Options) (*session, error) {
	s, err := p.openSpare(ctx, l, o)
	if s != nil || err != nil {
		return s, err
	}
	s = newSession(p, o)
	s.pool = l
	s.book(proc.Grant())
	if err := p.register(s); err != nil {
		s.Close()
		return nil, err
	}
	return s, s.begin(ctx, proc)
}

// openSpare makes a spare session the one that is asked for; nil if none is
// ready.
func (p *Provider) openSpare(ctx context.Context, l *process.Pool, o browser.Options) (*session, error) {
	for {
		s := p.takeSpare(l)
		if s == nil {
			return nil, nil
		}
		if err := p.register(s); err != nil {
			s.Close()
			return nil, err
		}
		err := s.become(ctx, o)
		if err == nil {
			return s, nil
		}
		p.opts.Logger.Debug("chrome: a spare session cannot be used", "session", o.ID, "error", err)
		if !p.discard(s) {
			return nil, process.ErrClosed
		}
	}
}

func (p *Provider) takeSpare(l *process.Pool) *session {
	made, g := l.TakeSpare()
	if made == nil {
		return nil
	}
	s := made.(*session)
	s.grant = g
	return s
}

func checked(o browser.Options) (browser.Options, error) {
	o.Width, o.Height = cmp.Or(o.Width, 1280), cmp.Or(o.Height, 800)
	o.DeviceScaleFactor = cmp.Or(o.DeviceScaleFactor, 1)
	if f := o.DeviceScaleFactor; !(f >= 1 && f <= 4) {
		return o, errtypes.Field("deviceScaleFactor", "must be 1 to 4")
	}
	if min(o.Width, o.Height) < 1 || max(o.Width, o.Height) > page.MaxViewport {
		return o, errtypes.Field("viewport", "must be between 1 and %d pixels wide and high", page.MaxViewport)
	}
	return o, o.Egress.Validate()
}

// acquire waits for the right to open a session: the lowest turn comes first.
func (p *Provider) acquire(ctx context.Context, turn int64) error {
	return p.fleet.Queue(ctx, p.full(), func(ctx context.Context) error { return p.slots.Wait(ctx, turn) })
}

func (p *Provider) full() error {
	return errtypes.New(errtypes.Unavailable, "all %d browser sessions of this instance are in use; try again later", p.opts.MaxSessions)
}

// register counts a session in: the caller's slot and its place in the pool are
// the session's then, which gives them back when it is closed. They are given
// back here where the provider is closed.
func (p *Provider) register(s *session) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		p.giveBack(s)
		return process.ErrClosed
	}
	p.open[s] = struct{}{}
	return nil
}

// forget counts a session out. One that is not registered, such as a spare, has
// only its memory to give back.
func (p *Provider) forget(s *session) {
	p.mu.Lock()
	_, counted := p.open[s]
	delete(p.open, s)
	p.mu.Unlock()
	if counted {
		p.giveBack(s)
	}
	s.grant.Release() // nobody sets it any more
}

func (p *Provider) giveBack(s *session) {
	p.slots.Give()
	if s.pool != nil {
		s.pool.Leave()
	}
}

// discard ends a session that cannot be used. Its slot and its place in the pool
// are the caller's again, unless it has been closed already.
func (p *Provider) discard(s *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, counted := p.open[s]; !counted || p.closed {
		return false
	}
	delete(p.open, s)
	p.fleet.Later(func() { s.Close() })
	return true
}

// Close implements [browser.Provider].
func (p *Provider) Close() (err error) {
	defer errtypes.Wrap(&err, "chrome.Close")
	p.mu.Lock()
	p.closed = true
	sessions := slices.Collect(maps.Keys(p.open))
	p.mu.Unlock()
	p.end(process.ErrClosed)
	var wg sync.WaitGroup
	for _, s := range sessions {
		wg.Go(func() { s.Close() })
	}
	wg.Wait()
	p.fleet.Close()
	p.opening.Wait()
	p.fleet.Wait()
	return p.release()
}

// release gives back what browsers needed.
func (p *Provider) release() (err error) {
	p.mu.Lock()
	deny := p.deny
	p.deny = nil
	p.mu.Unlock()
	if deny != nil {
		err = deny.Close()
	}
	if p.own != nil {
		err = errors.Join(err, p.own.Close())
	}
	return err
}
