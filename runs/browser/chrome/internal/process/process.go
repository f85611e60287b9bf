package process

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// A Process is one running Chromium and the connection to it. It ends when
// stop is called, or by itself; either way its processes and files are gone
// when gone is closed.
type Process struct {
	opts  Options
	child *child.Process
	away  *remote          // set in place of child for a browser that runs elsewhere
	grant *admission.Grant // of its memory, as it is measured; nil for none
	log   *slog.Logger

	wire   *mux.Wire
	router *downloadRouter // of downloads
	turns  *mux.Turns      // of pictures
	// root is the chromedp context of the browser, without a tab. It lives
	// as long as the process.
	root       context.Context
	cancelRoot context.CancelFunc
	exited     <-chan struct{} // the main process has ended, or the connection
	failed     chan struct{}   // closed when the cause is set
	gone       chan struct{}   // nothing is left of it

	mu       sync.Mutex
	cause    error // why it ended, or is being killed; nil while it can be used
	stopping bool
	sessions map[cdp.BrowserContextID]Session
	asking   sync.WaitGroup // guard and its questions
	crowded  atomic.Bool    // there was no room where a stored profile lies
	network  atomic.Int64   // the number of its network service; 0 where that is not known
}

// Start starts a Chromium in memory that is granted, and returns when it
// answers.
func Start(ctx context.Context, o Options, execPath, denyAddr string, g *admission.Grant) (*Process, error) {
	p := newProcess(o)
	p.grant = g
	p.asking.Add(1) // or it could end before what it waits for has begun
	begun := sync.OnceFunc(p.asking.Done)
	defer begun()
	if err := p.launch(ctx, execPath, denyAddr); err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "the browser does not start").WithCause(err)
	}
	if err := p.connect(ctx); err != nil {
		begun()
		p.Stop()
		return nil, startError(p.child.Tail(), err)
	}
	p.asking.Go(p.guard)
	if !o.Unwatched {
		p.asking.Go(p.watchNetwork)
	}
	if o.ProfileBytes != 0 {
		p.asking.Go(p.watchSize)
	}
	if g != nil && !o.Unmeasured {
		p.asking.Go(p.watchMemory)
	}
	return p, nil
}

func newProcess(o Options) *Process {
	return &Process{
		opts: o, log: o.Logger, router: newDownloadRouter(), turns: mux.NewTurns(o.Pixels),
		gone: make(chan struct{}), failed: make(chan struct{}), sessions: map[cdp.BrowserContextID]Session{},
	}
}

// startError explains a start that failed, as far as what the browser printed
// tells.
func startError(printed string, err error) error {
	message := "the browser does not start"
	switch {
	case strings.Contains(printed, "No usable sandbox"):
		message += ": this system lets it have no sandbox (unprivileged user namespaces are off)"
	case strings.Contains(printed, "error while loading shared libraries"):
		message += ": a library it needs is missing"
	case strings.Contains(printed, "Missing X server"):
		message += ": a window needs a display"
	}
	return errtypes.New(errtypes.Unavailable, "%s", message).WithCause(fmt.Errorf("%w; it printed: %s", err, printed))
}

// connect makes chromedp a client of the wire.
func (p *Process) connect(ctx context.Context) error {
	base, cancelBase := chromedp.NewAllocatorContext(context.Background(), p.wire.Allocator())
	root, cancel := chromedp.NewContext(base,
		chromedp.WithLogf(p.debugf), chromedp.WithErrorf(p.debugf))
	p.root, p.cancelRoot = root, func() { cancel(); cancelBase() }

	// The first call binds the browser to its context, so it must not be
	// ctx; a ctx that ends closes the pipe instead, which ends the call.
	stop := context.AfterFunc(ctx, func() { p.wire.Close() })
	defer stop()
	if _, err := chromedp.CallBrowser(root, browser.GetVersion, cdp.Empty{}); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	return p.listen()
}

// listen makes the browser tell of its targets. New pages wait until their
// session has seen them.
func (p *Process) listen() error {
	if err := chromedp.ListenBrowser(p.root, p.onEvent); err != nil {
		return err
	}
	if _, err := chromedp.CallBrowser(p.root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{
		Discover: true, Filter: target.Filter{{Type: "browser", Exclude: true}, {}}, // tabs, too, which external clients look for
	}); err != nil {
		return err
	}
	_, err := chromedp.CallBrowser(p.root, target.SetAutoAttach, target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true),
		Filter: target.Filter{{Type: "page"}, {Exclude: true}},
	})
	return err
}

func (p *Process) debugf(format string, args ...any) {
	p.log.Debug("chrome: " + fmt.Sprintf(format, args...))
}

// Browser is the browser's end of a call: the commands of the domains Target
// and Browser go there.
func (p *Process) Browser() cdp.Session { return chromedp.FromContext(p.root).Browser }

var errNoAnswer = errtypes.New(errtypes.Unavailable, "the browser does not answer")

// Within derives a context for calls that only the process and a limit end.
func (p *Process) Within(limit time.Duration) (context.Context, func()) {
	return clock.WithTimeout(context.Background(), p.opts.Clock, limit, errNoAnswer)
}

// Wire is the connection to the browser, Turns those of the pictures that it makes.
func (p *Process) Wire() *mux.Wire   { return p.wire }
func (p *Process) Turns() *mux.Turns { return p.turns }

// Root is the driver's context of the browser, without a tab.
func (p *Process) Root() context.Context { return p.root }

// Grant is that of the browser's memory; nil for none.
func (p *Process) Grant() *admission.Grant { return p.grant }

// Failed is closed when it is known why the browser ends, see Why, and Exited when
// its main process has ended, or the connection.
func (p *Process) Failed() <-chan struct{} { return p.failed }
func (p *Process) Exited() <-chan struct{} { return p.exited }

// PID is the number of the main process; 0 for a browser that runs elsewhere.
func (p *Process) PID() int {
	if p.child == nil {
		return 0
	}
	return p.child.PID()
}

// Where names the browser that runs elsewhere.
func (p *Process) Where() string { return p.away.String() }

// Dir is the directory of what it writes; empty for a browser that runs elsewhere.
func (p *Process) Dir() string {
	if p.child == nil {
		return ""
	}
	return p.child.Dir()
}
