package mux

import (
	"context"
	"log/slog"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/extensions"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/internal/clock"
)

// A Session is what clients are connected to, as far as they need it: a browser
// context of its own in a browser that others may use, too.
type Session interface {
	ID() string

	// Context ends with the session, with the cause.
	Context() context.Context
	// Spawn runs f in a goroutine that the end of the session waits for; not once
	// that has begun.
	Spawn(f func())
	// Bounded derives the context of a call: it ends with ctx, with the session, and
	// after limit, with an error that says what the page did not do.
	Bounded(ctx context.Context, limit time.Duration, what string) (context.Context, func())
	// Within is Bounded with an error of its own for the limit.
	Within(ctx context.Context, limit time.Duration, late error) (context.Context, func())
	// Outliving derives a context for calls that clear up: the end of the session
	// does not end it, the end of the browser and limit do.
	Outliving(limit time.Duration) (context.Context, func())
	// Explain turns an error into what callers get.
	Explain(ctx context.Context, err error) error

	// Wire, Browser and Turns are those of the browser.
	Wire() *Wire
	Browser() cdp.Session
	Turns() *Turns
	// Alone reports whether the session shares its browser with no other.
	Alone() bool
	// SeesFiles reports whether the browser sees the files of this machine.
	SeesFiles() bool
	// Secrets are the names of directories that clients must not see.
	Secrets() []string

	// ContextID is the session's own browser context.
	ContextID() cdp.BrowserContextID
	// ContextParams are those of every context of the session.
	ContextParams() target.CreateBrowserContextParams
	// AdoptContext makes the session hear of the targets of a context that a client
	// has made.
	AdoptContext(ctx context.Context, id cdp.BrowserContextID) error
	// EndContext gives the downloads of a context a moment, has it disposed of, and
	// hears of it no more, unless that fails.
	EndContext(id cdp.BrowserContextID, dispose func() error) error
	// Has reports whether a target is in a context of the session.
	Has(info *target.Info) bool

	// Tab is a tab that the session is attached to; nil if there is none with the id.
	Tab(id target.ID) Tab
	// Raised hears that a client brings a tab to the front.
	Raised(id target.ID)
	// SettleChooser and SettleDialog decide anew who answers the questions for files
	// and the dialogs of a page.
	SettleChooser(ctx context.Context, id target.ID)
	SettleDialog(id target.ID)

	// Extensions are those of the session, as the browser knows them.
	Extensions(ctx context.Context) ([]*extensions.ExtensionInfo, error)
	// Loaded reports whether an extension is one of them.
	Loaded(id string) bool

	// Observed reports whether anybody observes the session, and Observe tells of
	// what a client does in a tab.
	Observed() bool
	Observe(tab target.ID, method string, params map[string]any)
}

// A Tab is a page of a session.
type Tab interface {
	// Heard is closed when the session hears of what the page does.
	Heard() <-chan struct{}
	// Fill brings a new page to an address, as the first of its tab, and returns when
	// it is there.
	Fill(address string)
}

// Options are the same for all sessions of a provider.
type Options struct {
	Limits  Limits
	MaxTabs int
	// Call bounds the answer of a page, Close that to what clears up.
	Call, Close time.Duration
	Clock       clock.Clock
	Logger      *slog.Logger
	// Backlog is what waits for the clients of all sessions.
	Backlog *Backlog
}
