package chrome

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/network"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// handOver gives a complete file to whoever opened the session, and removes
// it. A browser that dies meanwhile changes nothing.
func (s *session) handOver(item *download, size int64) {
	defer func() {
		s.downloads.mu.Lock()
		defer s.downloads.mu.Unlock()
		s.downloads.forget(item)
	}()
	if err := s.giveFile(item); err != nil {
		s.p.opts.Logger.Warn("chrome: a download could not be stored", "session", s.ID(), "size", size, "error", err)
	}
}

func (s *session) giveFile(item *download) error {
	f, err := os.Open(filepath.Join(s.downloads.place(), item.guid))
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
	return s.options().Downloads(s.handing, browser.Download{
		URL: item.url, Filename: item.name, MIMEType: item.mime, Size: info.Size(),
		Content: io.LimitReader(f, info.Size()),
	})
}

// maxTypes bounds the MIME types remembered.
const maxTypes = 200

// noteType remembers what a document was answered as: a download is told of
// without it.
func (d *downloads) noteType(ev *network.EventResponseReceived) {
	if ev.Type != network.ResourceTypeDocument || ev.Response == nil || len(ev.Response.URL) > maxURL {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.types) >= maxTypes {
		clear(d.types)
	}
	d.types[ev.Response.URL] = cutText(ev.Response.MimeType, 200)
	for _, item := range d.active { // told of before its response
		if item.mime == "" && item.url == shownURL(ev.Response.URL) {
			item.mime = d.types[ev.Response.URL]
		}
	}
}

// awaitDownload returns when a download has been noted since there were before
// of them. It is said on another way than that a page has become one.
func (s *session) awaitDownload(ctx context.Context, before int) error {
	ctx, done := s.bounded(ctx, noteTime, "say what is downloaded")
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

// begunSoFar counts the downloads there have been.
func (d *downloads) begunSoFar() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.begun
}

// finishTime is what downloads under way are given when the session is closed:
// often all that is missing is the browser's word.
const finishTime = 2 * time.Second

// finish waits for the files that are complete to be handed over, and for the
// others a moment. What is left then is cancelled with the session's context.
func (s *session) finish() {
	d := s.downloads
	timer := s.p.opts.Clock.NewTimer(finishTime)
	defer timer.Stop()
	s.waitDownloads(timer.C())
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	stop := s.p.opts.Clock.AfterFunc(s.p.opts.Timeouts.HandOver, func() {
		s.stopHanding(errtypes.New(errtypes.GatewayTimeout, "the file was not taken within %s", s.p.opts.Timeouts.HandOver))
	})
	defer stop.Stop()
	d.handing.Wait()
}

// waitDownloads returns when no download is under way, or the browser has gone.
func (s *session) waitDownloads(late <-chan time.Time) {
	d := s.downloads
	for {
		d.mu.Lock()
		changed, going := d.changed, 0
		for _, item := range d.active {
			if !item.complete && item.given == "" {
				going++
			}
		}
		d.mu.Unlock()
		if going == 0 || s.proc == nil {
			return
		}
		select {
		case <-changed:
		case <-late:
			return
		case <-s.proc.exited:
			return
		}
	}
}
