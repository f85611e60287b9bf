package chrome

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// pageOptions are those of the pages of all sessions.
func pageOptions(o Options) page.Options {
	l := o.Limits
	return page.Options{
		MaxTabs: o.MaxTabs, Start: o.Timeouts.Start, Call: o.Timeouts.Call, Close: o.Timeouts.Close, Navigate: o.Timeouts.Navigate, Dialog: o.Timeouts.Dialog,
		Settle: page.Settle(o.Settle), Clock: o.Clock, Logger: o.Logger,
		Limits: page.Limits{
			Elements: l.Elements, Text: l.Text, Frames: l.Frames, FrameDepth: l.FrameDepth, Dialogs: l.Dialogs, Message: l.Message,
			Events: l.Events, EventRate: l.EventRate, PDFBytes: l.PDFBytes, Dialog: o.Clients.Dialog,
		},
	}
}

// pagesHost is a session as its pages have it.
type pagesHost struct{ s *session }

var _ page.Host = pagesHost{}

func (h pagesHost) Wire() *mux.Wire       { return h.s.process().Wire() }
func (h pagesHost) Browser() cdp.Session  { return h.s.process().Browser() }
func (h pagesHost) Root() context.Context { return h.s.process().Root() }
func (h pagesHost) SeesFiles() bool       { return h.s.process().Reaches().Files }
func (h pagesHost) Die()                  { h.s.Die(h.s.process().Why()) }

func (h pagesHost) Outliving(limit time.Duration) (context.Context, func()) {
	return h.s.process().Within(limit)
}

func (h pagesHost) Failed() <-chan struct{} {
	if h.s.process() == nil {
		return nil
	}
	return h.s.process().Failed()
}

func (h pagesHost) NetworkEnded() error {
	return h.s.process().NetworkEnded()
}

func (h pagesHost) Unreachable(rawURL string) error { return h.s.failed.of(rawURL) }
func (h pagesHost) ForgetUnreachable()              { h.s.failed.clear() }

func (h pagesHost) WriteFiles(files []browser.File) (paths []string, err error) {
	return h.s.writeFiles(files)
}

func (h pagesHost) OwnFrame(context cdp.BrowserContextID, id cdp.FrameID) {
	if proc := h.s.process(); proc != nil {
		proc.Claim(h.s, context, id)
	}
}

func (h pagesHost) NoteType(ev *network.EventResponseReceived) { h.s.downloads.noteType(ev) }
func (h pagesHost) DownloadsBegun() int                        { return h.s.downloads.begunSoFar() }
func (h pagesHost) TakeDownloads() []browser.Started           { return h.s.takeDownloads() }

func (h pagesHost) AwaitDownload(ctx context.Context, before int) error {
	return h.s.awaitDownload(ctx, before)
}
