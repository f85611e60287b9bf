package process

import (
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// A Session is one that is in a browser, as far as its process knows it. All but
// Die run on the goroutine that reads the browser's messages: they only pass on.
type Session interface {
	// Die ends the session because its browser has ended.
	Die(cause error)

	TargetCreated(info *target.Info)
	TargetChanged(info *target.Info)
	// TargetPaused hears of a page that waits, attached to as raw, to be let go.
	TargetPaused(info *target.Info, raw target.SessionID)
	TargetDestroyed(id target.ID)
	TargetCrashed(ev *target.EventTargetCrashed)

	// DownloadContext is the context of the session in which a download was begun:
	// by its frame, or by the file that it is written to, which may be empty; empty
	// for one of another session.
	DownloadContext(frame cdp.FrameID, file string) cdp.BrowserContextID
	// Download hears how one goes; last may be nil.
	Download(context cdp.BrowserContextID, begun *cdpbrowser.EventDownloadWillBegin, last *cdpbrowser.EventDownloadProgress)
}
