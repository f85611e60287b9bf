package chrome

import (
	"context"

	"github.com/chromedp/cdproto/cdp"

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
type pagesHost struct{ inBrowser }

var _ page.Host = pagesHost{}

func (h pagesHost) Root() context.Context { return h.process().Root() }
func (h pagesHost) Die()                  { h.session.Die(h.process().Why()) }
func (h pagesHost) NetworkEnded() error   { return h.process().NetworkEnded() }

func (h pagesHost) Failed() <-chan struct{} {
	if h.process() == nil {
		return nil
	}
	return h.process().Failed()
}

func (h pagesHost) Unreachable(rawURL string) error { return h.failed.of(rawURL) }
func (h pagesHost) ForgetUnreachable()              { h.failed.clear() }

func (h pagesHost) OwnFrame(context cdp.BrowserContextID, id cdp.FrameID) {
	if proc := h.process(); proc != nil {
		proc.Claim(h.session, context, id)
	}
}
