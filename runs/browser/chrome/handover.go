package chrome

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// handOver gives a complete file to whoever opened the session, and removes
// it. A browser that dies meanwhile changes nothing. Clients hear that it is
// complete when it has been taken, so that they find it there.
func (s *session) handOver(item *download, end cdpbrowser.EventDownloadProgress) {
	state := browser.Complete
	if err := s.giveFile(item); err != nil {
		state = browser.Failed
		s.p.opts.Logger.Warn("chrome: a download could not be stored", "session", s.ID(), "size", int64(end.ReceivedBytes), "error", err)
		end.State = cdpbrowser.DownloadProgressStateCanceled
	}
	s.Clients.DownloadGoes(item.context, end)
	s.downloads.mu.Lock()
	defer s.downloads.mu.Unlock()
	item.end = state
	s.downloads.forget(item)
}

func (s *session) giveFile(item *download) error {
	f, err := os.Open(filepath.Join(s.downloads.place(item.context), item.guid))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if limit := s.p.opts.Limits.DownloadBytes; info.Size() > limit {
		return errtypes.New(errtypes.TooLarge, "the file is larger than %d bytes", limit)
	}
	kind, err := item.kind(s.answeredAs(item), f)
	if err != nil {
		return err
	}
	return s.Options().Downloads(s.handing, browser.Download{
		URL: item.url, Filename: item.name, MIMEType: kind, Size: info.Size(),
		Content: io.LimitReader(f, info.Size()),
	})
}

// maxTypes bounds the MIME types remembered.
const maxTypes = 200

// NoteType remembers what a document was answered as: a download is told of
// without it.
func (s *session) NoteType(ev *network.EventResponseReceived) {
	if ev.Type != network.ResourceTypeDocument || ev.Response == nil || len(ev.Response.URL) > page.MaxURL {
		return
	}
	d := s.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.types) >= maxTypes {
		clear(d.types)
	}
	d.types[ev.Response.URL] = page.CutText(ev.Response.MimeType, 200)
	for _, item := range d.active { // told of before its response
		if item.mime == "" && item.url == page.ShownURL(ev.Response.URL) {
			item.mime = d.types[ev.Response.URL]
			d.tell()
		}
	}
}

// typeTime is how long a file that is complete waits for what it was answered as,
// which the browser tells on another way.
const typeTime = 200 * time.Millisecond

// answeredAs is the MIME type that the server gave a file; empty where that is not
// heard.
func (s *session) answeredAs(item *download) string {
	d := s.downloads
	timer := s.p.opts.Clock.NewTimer(typeTime)
	defer timer.Stop()
	for {
		d.mu.Lock()
		mime, changed := item.mime, d.changed
		d.mu.Unlock()
		if mime != "" || !strings.HasPrefix(item.url, "http") {
			return mime
		}
		select {
		case <-changed:
		case <-timer.C():
			return ""
		case <-s.handing.Done():
			return ""
		}
	}
}

// AwaitDownload returns when a download has been noted since there were before
// of them. It is said on another way than that a page has become one.
func (s *session) AwaitDownload(ctx context.Context, before int) error {
	ctx, done := s.Bounded(ctx, noteTime, "say what is downloaded")
	defer done()
	d := s.downloads
	for {
		d.mu.Lock()
		begun, changed := d.begun, d.changed
		d.mu.Unlock()
		if begun > before {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-changed:
		}
	}
}

// noteTime bounds the wait for the browser to tell of a download.
const noteTime = 2 * time.Second

// DownloadsBegun counts the downloads there have been.
func (s *session) DownloadsBegun() int {
	s.downloads.mu.Lock()
	defer s.downloads.mu.Unlock()
	return s.downloads.begun
}

// finishTime is what downloads under way are given when the session is closed:
// often all that is missing is the browser's word.
const finishTime = 2 * time.Second

// finish waits for the files that are complete to be handed over, and for the
// others a moment. What is left then is cancelled with the session's context.
func (s *session) finish() {
	d := s.downloads
	s.finishDownloads("")
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	stop := s.p.opts.Clock.AfterFunc(s.p.opts.Timeouts.HandOver, func() {
		s.stopHanding(errtypes.New(errtypes.GatewayTimeout, "the file was not taken within %s", s.p.opts.Timeouts.HandOver))
	})
	defer stop.Stop()
	d.handing.Wait()
}

// finishDownloads gives the downloads of a context that is about to end, or of
// all, their moment. It returns when none is under way, or the browser has gone.
func (s *session) finishDownloads(in cdp.BrowserContextID) {
	d := s.downloads
	timer := s.p.opts.Clock.NewTimer(finishTime)
	defer timer.Stop()
	for {
		d.mu.Lock()
		changed, going := d.changed, 0
		for _, item := range d.active {
			if !item.complete && item.given == "" && (in == "" || in == item.context) {
				going++
			}
		}
		d.mu.Unlock()
		if going == 0 || s.process() == nil {
			return
		}
		select {
		case <-changed:
		case <-timer.C():
			return
		case <-s.process().Exited():
			return
		}
	}
}

// dropDownloads gives up those of a context that has ended, of which the
// browser says no more.
func (s *session) dropDownloads(in cdp.BrowserContextID) {
	d := s.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, item := range d.active {
		if item.context == in && !item.complete {
			d.forget(item)
		}
	}
}
