package chrome

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// Clients bound what external clients of a session may use. A zero field has
// its default.
type Clients struct {
	// Max is how many may be connected to one session at a time. Default 20, or
	// what sessions.Limits.MaxClients says, where that is in front.
	Max int
	// Message is the size of a message in bytes, in each direction. A longer
	// one is answered with an error. Default 64 MiB.
	Message int
	// Queue is how many bytes may wait for a client to read them; beyond it,
	// the client is disconnected. Default 128 MiB.
	Queue int
	// Unread is how many bytes may wait for all clients of a provider together;
	// beyond it, the one that most waits for is disconnected. Default 256 MiB.
	Unread int
	// Contexts is how many browser contexts of its own a client may have at a
	// time. Default 10.
	Contexts int
	// Dialog is how long a dialog of a page waits for the answer of a client that
	// hears of it (Page.enable); then the session answers. Default 30 s.
	Dialog time.Duration
	// Hold is how long a new page waits for clients that asked to see it
	// before its first script. Default 5 s.
	Hold time.Duration
}

func (c *Clients) values() []limit.Value {
	return []limit.Value{
		limit.Or("Max", &c.Max, 20),
		limit.Or("Message", &c.Message, 64<<20),
		limit.Or("Queue", &c.Queue, 128<<20),
		limit.Or("Unread", &c.Unread, 256<<20),
		limit.Or("Contexts", &c.Contexts, 10),
		limit.Or("Dialog", &c.Dialog, 30*time.Second),
		limit.Or("Hold", &c.Hold, 5*time.Second),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (c Clients) Validate() error { return limit.Check(c.values()...) }

// muxOptions are those of the clients of all sessions.
func muxOptions(o Options) mux.Options {
	return mux.Options{
		Limits: mux.Limits(o.Clients), MaxTabs: o.MaxTabs, Call: o.Timeouts.Call, Close: o.Timeouts.Close,
		Clock: o.Clock, Logger: o.Logger, Backlog: mux.NewBacklog(o.Clients.Unread),
	}
}

// Serve implements [browser.Session].
func (s *session) Serve(ctx context.Context, client browser.Client) (err error) {
	defer errtypes.Wrap(&err, "chrome.Serve(%q)", s.ID())
	if !s.Admit() {
		return context.Cause(s.Context())
	}
	defer s.Leave()
	return s.Clients.Serve(ctx, client)
}

// Offer implements [browser.Session].
func (s *session) Offer(name, file string) { s.Clients.Permit(name, file) }

// inBrowser is a session with what it has of its browser, for its pages and its
// clients.
type inBrowser struct{ *session }

func (v inBrowser) Wire() *mux.Wire      { return v.process().Wire() }
func (v inBrowser) Browser() cdp.Session { return v.process().Browser() }
func (v inBrowser) SeesFiles() bool      { return v.process().Reaches().Files }
func (v inBrowser) Alone() bool          { return v.dedicated != nil }

func (v inBrowser) Outliving(limit time.Duration) (context.Context, func()) {
	return v.process().Within(limit)
}

// clientsHost is a session as its clients have it.
type clientsHost struct{ inBrowser }

var _ mux.Session = clientsHost{}

func (v clientsHost) Turns() *mux.Turns { return v.process().Turns() }

func (v clientsHost) Secrets() []string {
	o := v.p.opts
	files, _ := o.Children.Dir() // of browsers and sessions
	return []string{v.process().Dir(), files, o.TempDir, v.dedicated.storedProfile(), o.ExecPath}
}

func (v clientsHost) AdoptContext(ctx context.Context, id cdp.BrowserContextID) error {
	if !v.process().Add(id, v.session) {
		return page.ErrDied
	}
	return v.applyDownloads(ctx, id)
}

func (v clientsHost) EndContext(id cdp.BrowserContextID, dispose func() error) error {
	v.finishDownloads(id)
	if err := dispose(); err != nil {
		return err
	}
	v.process().Remove(id)
	v.dropDownloads(id)
	return nil
}

func (v clientsHost) Has(info *target.Info) bool {
	return v.process().SessionOf(info) == process.Session(v.session)
}

func (v clientsHost) Observe(tab target.ID, method string, p map[string]any) {
	v.session.Observe(string(tab), method, p)
}
