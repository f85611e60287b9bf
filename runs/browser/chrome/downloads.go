package chrome

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// downloads are the files that the pages of a session download. Each lies in a
// directory of the session's own, one for each browser context, under a name of
// the browser's, until it is handed over or given up.
type downloads struct {
	mu      sync.Mutex
	dir     string               // "" where downloads are refused
	active  map[string]*download // by GUID
	notes   []browser.Started    // not yet told
	begun   int                  // how many there were; it only grows
	changed chan struct{}        // closed and replaced at each change
	types   map[string]string    // MIME types by URL, of documents answered of late
	closed  bool                 // Close waits for what is there, and takes no more
	handing sync.WaitGroup       // files that are being handed over
	all     []*download          // of the session's own context, the newest ones
}

// A download is one that goes on, or is being handed over.
type download struct {
	guid, url, name, mime string
	context               cdp.BrowserContextID
	given                 string // why it was given up; empty if it was not
	complete              bool
	received              int64
	end                   browser.DownloadState // empty while it is under way
}

func newDownloads() *downloads {
	return &downloads{active: map[string]*download{}, types: map[string]string{}, changed: make(chan struct{})}
}

// place returns the directory of a context; empty where downloads are refused.
func (d *downloads) place(id cdp.BrowserContextID) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dir == "" {
		return ""
	}
	return filepath.Join(d.dir, string(id))
}

// contextIn returns the context whose directory it is; empty if none's.
func (d *downloads) contextIn(dir string) cdp.BrowserContextID {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dir == "" || filepath.Dir(dir) != d.dir {
		return ""
	}
	return cdp.BrowserContextID(filepath.Base(dir))
}

// applyDownloads tells the browser what to do with the downloads of a context
// of the session.
func (s *session) applyDownloads(ctx context.Context, id cdp.BrowserContextID) error {
	if s.Options().Downloads != nil && s.process().Reaches().Files {
		dir, err := s.folder("downloads")
		if err == nil {
			err = makeDir(filepath.Join(dir, string(id)))
		}
		if err != nil {
			return errtypes.New(errtypes.Unavailable, "no directory can be made for downloads").WithCause(err)
		}
		s.downloads.mu.Lock()
		s.downloads.dir = dir
		s.downloads.mu.Unlock()
	}
	_, err := cdp.Call(ctx, s.process().Browser(), cdpbrowser.SetDownloadBehavior, s.downloading(id))
	return err
}

// downloading is what becomes of the files that a context of the session
// downloads, whatever its external clients ask for. Events are always asked
// for: the browser has one switch for all contexts of a connection, which a
// session without them would turn off for the others.
func (s *session) downloading(id cdp.BrowserContextID) cdpbrowser.SetDownloadBehaviorParams {
	p := cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: id, EventsEnabled: new(true),
	}
	if dir := s.downloads.place(id); dir != "" {
		p.Behavior, p.DownloadPath = cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName, dir
	}
	return p
}

// Download implements [process.Session].
func (s *session) Download(context cdp.BrowserContextID, begun *cdpbrowser.EventDownloadWillBegin, last *cdpbrowser.EventDownloadProgress) {
	d := s.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	item := d.active[begun.GUID]
	if item == nil {
		if item = s.beginDownload(context, begun); item == nil {
			return
		}
	}
	if last == nil || item.complete {
		return
	}
	s.observeDownload(item, last)
	item.received = int64(last.ReceivedBytes)
	switch limit := s.p.opts.Limits.DownloadBytes; {
	case max(last.ReceivedBytes, last.TotalBytes) > float64(limit):
		s.refuse(item, fmt.Sprintf("it is larger than %d bytes", limit))
	case last.State == cdpbrowser.DownloadProgressStateCompleted && item.given == "" && !d.closed:
		item.complete = true
		d.handing.Go(func() { s.handOver(item, *last) })
		return
	}
	s.Clients.DownloadGoes(context, *last)
	if last.State != cdpbrowser.DownloadProgressStateInProgress {
		d.forget(item)
	}
}

// beginDownload notes a new download, or refuses it; nil when it is over for
// that. The lock is held.
func (s *session) beginDownload(context cdp.BrowserContextID, ev *cdpbrowser.EventDownloadWillBegin) *download {
	d := s.downloads
	if d.closed || filepath.Base(ev.GUID) != ev.GUID {
		s.cancelDownload(context, ev.GUID)
		return nil
	}
	item := &download{guid: ev.GUID, url: page.ShownURL(ev.URL), name: ev.SuggestedFilename, mime: d.types[ev.URL], context: context}
	going := len(d.active)
	d.active[item.guid] = item
	s.observeBegin(ev, item)
	s.Clients.DownloadBegins(context, *ev)
	switch {
	case d.dir == "":
		item.given = "this session keeps no downloads"
	case going >= s.p.opts.Limits.Downloads:
		item.given = fmt.Sprintf("%d downloads are under way already", going)
		s.cancelDownload(context, item.guid)
	}
	if context == s.ContextID() {
		d.begun++
		d.remember(item)
	}
	s.noteDownload(item)
	return item
}

// refuse gives up a download that has begun. The lock is held.
func (s *session) refuse(item *download, reason string) {
	if item.given != "" {
		return
	}
	item.given = reason
	s.noteDownload(item)
	s.cancelDownload(item.context, item.guid)
}

// noteDownload keeps what the next Page tells: nothing of the contexts that
// clients have made. The lock is held.
func (s *session) noteDownload(item *download) {
	if item.context == s.ContextID() && len(s.downloads.notes) < s.p.opts.Limits.Dialogs {
		s.downloads.notes = append(s.downloads.notes, browser.Started{Filename: page.Clean(item.name, s.p.opts.Limits.Message), Refused: item.given})
	}
	s.downloads.tell()
}

func (s *session) TakeDownloads() []browser.Started {
	s.downloads.mu.Lock()
	defer s.downloads.mu.Unlock()
	notes := s.downloads.notes
	s.downloads.notes = nil
	return notes
}

// forget is called with the lock held when a download is over.
func (d *downloads) forget(item *download) {
	if item.end == "" {
		item.end = browser.Failed
	}
	delete(d.active, item.guid)
	if d.dir != "" {
		path := filepath.Join(d.dir, string(item.context), item.guid)
		os.Remove(path)
		os.Remove(path + ".crdownload")
	}
	d.tell()
}

func (d *downloads) tell() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// cancelDownload does so in the background.
func (s *session) cancelDownload(in cdp.BrowserContextID, guid string) {
	s.Spawn(func() {
		ctx, cancel := s.process().Within(s.p.opts.Timeouts.Close)
		defer cancel()
		cdp.Call(ctx, s.process().Browser(), cdpbrowser.CancelDownload, cdpbrowser.CancelDownloadParams{GUID: guid, BrowserContextID: in})
	})
}

// observeBegin tells of a download that begins.
func (s *session) observeBegin(ev *cdpbrowser.EventDownloadWillBegin, item *download) {
	s.Note("", cdpbrowser.DownloadWillBegin.Method, map[string]any{
		"guid": item.guid, "frameId": ev.FrameID, "url": item.url, "suggestedFilename": page.CutText(item.name, 1000)})
}

// observeDownload tells of the end of a download; how it goes is of no use.
func (s *session) observeDownload(item *download, ev *cdpbrowser.EventDownloadProgress) {
	if ev.State == cdpbrowser.DownloadProgressStateInProgress {
		return
	}
	p := map[string]any{"guid": item.guid, "state": ev.State, "receivedBytes": ev.ReceivedBytes, "totalBytes": ev.TotalBytes}
	if item.given != "" {
		p["reason"] = item.given
	}
	s.Note("", cdpbrowser.DownloadProgress.Method, p)
}
