// Package chrome opens browser sessions in the Chromium of the machine. It is
// the only package that knows chromedp.
//
// One Chromium process serves all sessions: each is an isolated browser
// context with cookies, storage, cache and a forward proxy of its own. The
// process is started by the first Open, which begins to keep a few spare
// sessions ready for the next ones. It ends some time after the last session
// has closed, and is spoken to over a pipe; no debugging port is ever open. It
// ends with its host, however the host ends, because the pipe does; the files
// it leaves then are removed by the next provider with the same TempDir.
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
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser"
)

// A Provider opens sessions; see [browser.Provider].
type Provider struct {
	opts Options
	life context.Context // ended by Close
	end  context.CancelCauseFunc

	slots  *slots
	unread *backlog // of all clients

	mu      sync.Mutex
	closed  bool
	open    map[*session]struct{} // those that are being opened, too
	spares  []*session            // ready to be opened; the oldest first
	filling bool                  // fill is at work
	counter int                   // of processes started, for their directories
	proc    *process              // the one new sessions go to; nil where none runs
	start   *starting             // set while it starts
	idle    clock.Timer           // set while proc has no session
	work    *workdir.Dir          // made with the first process
	deny    *denyProxy
	ending  sync.WaitGroup           // processes on their way out
	others  map[launchKind]*Provider // of sessions of other kinds
	stored  map[string]bool          // profiles that a session uses
}

var _ browser.Provider = (*Provider)(nil)

var errProviderClosed = errtypes.New(errtypes.Unavailable, "the browser provider is closed")

// New returns a provider. It starts no browser, and removes what providers of
// dead processes have left in TempDir. The error's kind is Invalid for
// settings that cannot be.
func New(o Options) (_ *Provider, err error) {
	defer errtypes.Wrap(&err, "chrome.New")
	if o.Gate == nil && o.Proxy == nil {
		return nil, errtypes.Field("Gate", "must be set: a session has no other way out")
	}
	if o.MaxSessions < 0 || o.MaxTabs < 0 {
		return nil, errtypes.Field("MaxSessions", "and MaxTabs must not be negative")
	}
	o = o.withDefaults()
	if o.TempDir, err = filepath.Abs(o.TempDir); err != nil {
		return nil, errtypes.Field("TempDir", "cannot be resolved").WithCause(err)
	}
	o.TempDir = shortEnough(o.TempDir, o.Logger)
	if o.RemoteURL != "" {
		if _, err := parseRemote(o.RemoteURL); err != nil {
			return nil, err
		}
	}
	sweep(o.TempDir, o.Logger)
	sweepProfiles(o.TempDir, o.Logger)
	return newProvider(o), nil
}

func newProvider(o Options) *Provider {
	p := &Provider{opts: o, open: map[*session]struct{}{}, slots: newSlots(o.MaxSessions), unread: newBacklog(o.Clients.Unread)}
	p.life, p.end = context.WithCancelCause(context.Background())
	return p
}

// Open implements [browser.Provider]. When MaxSessions are open, it waits for
// one to end. The error's kind is Unavailable then, not RateLimited: the limit
// is the machine's, shared by all projects, and not one that this caller has
// exceeded.
func (p *Provider) Open(ctx context.Context, o browser.Options) (_ browser.Session, err error) {
	if o.ID == "" {
		o.ID = ids.New()
	}
	defer errtypes.Wrap(&err, "chrome.Open(%q)", o.ID)
	if o, err = checked(o); err != nil {
		return nil, err
	}
	if err := p.remoteHonours(ctx, o); err != nil {
		return nil, err
	}
	if wantsOwn(o) {
		return p.openOwn(ctx, o)
	}
	main := p
	if p, err = p.of(kindOf(o)); err != nil {
		return nil, err
	}
	if err := p.acquire(ctx); err != nil {
		return nil, err
	}
	if p != main {
		main.makeRoom()
	}
	s, err := p.openSpare(ctx, o)
	if s == nil && err == nil {
		s, err = p.openNew(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	p.refill()
	return s, nil
}

// openNew opens a session that is made for it. A browser that ends meanwhile
// gives way to another, once.
func (p *Provider) openNew(ctx context.Context, o browser.Options) (*session, error) {
	for first := true; ; first = false {
		s := newSession(p, o)
		if err := p.register(s); err != nil {
			return nil, err
		}
		proc, err := p.process(ctx)
		if err == nil {
			err = s.begin(ctx, proc)
		}
		if err == nil {
			return s, nil
		}
		if proc == nil || proc.alive() || !first || ctx.Err() != nil || !p.discard(s) {
			s.Close()
			return nil, err
		}
	}
}

// maxViewport is what Chromium accepts as the side of an emulated screen.
const maxViewport = 10_000

func checked(o browser.Options) (browser.Options, error) {
	o.Width, o.Height = cmp.Or(o.Width, 1280), cmp.Or(o.Height, 800)
	if min(o.Width, o.Height) < 1 || max(o.Width, o.Height) > maxViewport {
		return o, errtypes.Field("viewport", "must be between 1 and %d pixels wide and high", maxViewport)
	}
	return o, o.Egress.Validate()
}

// acquire waits for the right to open a session. Who waits longest comes first.
func (p *Provider) acquire(ctx context.Context) error {
	if p.slots.try() {
		return nil
	}
	full := errtypes.New(errtypes.Unavailable, "all %d browser sessions of this instance are in use; try again later", p.opts.MaxSessions)
	if p.opts.Timeouts.Queue < 0 {
		return full
	}
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(p.life, func() { cancel(errProviderClosed) })()
	defer p.opts.Clock.AfterFunc(p.opts.Timeouts.Queue, func() { cancel(full) }).Stop()
	if p.slots.wait(waiting) != nil {
		return context.Cause(waiting)
	}
	return nil
}

// register counts a session in that has a slot; forget counts it out.
func (p *Provider) register(s *session) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		p.slots.give()
		return errProviderClosed
	}
	p.open[s] = struct{}{}
	p.stopIdle()
	return nil
}

// forget counts a session out. One that was never opened, a spare, is not
// counted.
func (p *Provider) forget(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, counted := p.open[s]; !counted {
		return
	}
	delete(p.open, s)
	p.slots.give()
	p.startIdle()
}

// Close implements [browser.Provider].
func (p *Provider) Close() (err error) {
	defer errtypes.Wrap(&err, "chrome.Close")
	p.mu.Lock()
	p.closed = true
	p.end(errProviderClosed)
	p.stopIdle()
	sessions := slices.AppendSeq(p.spares, maps.Keys(p.open))
	p.spares = nil
	p.mu.Unlock()

	errs := p.closeOthers()
	var wg sync.WaitGroup
	for _, s := range sessions {
		wg.Go(func() { s.Close() })
	}
	wg.Wait()

	p.mu.Lock()
	if p.proc != nil {
		p.retire()
	}
	p.mu.Unlock()
	p.ending.Wait()
	return errors.Join(append(errs, p.release())...)
}

// release gives back what room made.
func (p *Provider) release() error {
	p.mu.Lock()
	work, deny := p.work, p.deny
	p.work, p.deny = nil, nil
	p.mu.Unlock()
	var errs []error
	if deny != nil {
		errs = append(errs, deny.close())
	}
	if work != nil {
		errs = append(errs, work.Remove())
	}
	return errors.Join(errs...)
}
