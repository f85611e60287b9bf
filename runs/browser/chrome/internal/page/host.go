package page

import (
	"context"
	"log/slog"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// A Host is the rest of a session, as far as its pages need it.
type Host interface {
	// Wire, Browser and Root are those of the browser: its connection, its end of
	// calls, and the driver's context of it.
	Wire() *mux.Wire
	Browser() cdp.Session
	Root() context.Context
	// Outliving derives a context for calls that only the browser and a limit end.
	Outliving(limit time.Duration) (context.Context, func())
	// SeesFiles reports whether the browser sees the files of this machine.
	SeesFiles() bool
	// Alone reports whether the session shares its browser with no other.
	Alone() bool
	// Failed is closed when the browser is known to have failed; nil where none has
	// been started. Die ends the session with the cause then.
	Failed() <-chan struct{}
	Die()
	// NetworkEnded ends a browser whose network service has ended, and returns the
	// error of that; nil where it has not.
	NetworkEnded() error

	// Unreachable is why the server of a URL was not connected to of late; nil if it
	// was. ForgetUnreachable begins anew.
	Unreachable(rawURL string) error
	ForgetUnreachable()

	// WriteFiles writes files for a page to read and returns where they are.
	WriteFiles(files []browser.File) (paths []string, err error)
	// OwnFrame hears that a frame is of a page in a context of the session.
	OwnFrame(context cdp.BrowserContextID, id cdp.FrameID)
	Downloads
}

// Downloads are those of a session.
type Downloads interface {
	// NoteType hears as what a document was answered.
	NoteType(ev *network.EventResponseReceived)
	// DownloadsBegun counts them, in the session's own context. AwaitDownload returns
	// when there have been more than before.
	DownloadsBegun() int
	AwaitDownload(ctx context.Context, before int) error
	// TakeDownloads returns those that have begun since the last call.
	TakeDownloads() []browser.Started
}

// Options are the same for all sessions of a provider; see chrome.Options for
// what each means.
type Options struct {
	MaxTabs                      int
	Start, Call, Close, Navigate time.Duration
	Dialog                       time.Duration // that waits for who drives the session
	Settle                       Settle
	Limits                       Limits
	Clock                        clock.Clock
	Logger                       *slog.Logger
}

// Limits bound what is taken from pages; see chrome.Limits.
type Limits struct {
	Elements, Text, Frames, FrameDepth int
	Dialogs, Message                   int
	Events, EventRate                  int
	PDFBytes                           int64
	Dialog                             time.Duration // that waits for a client
}

// MaxViewport is what Chromium accepts as the side of an emulated screen.
const MaxViewport = 10_000
