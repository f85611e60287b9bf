package process

import (
	"sync"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
)

// A downloadRouter sorts the downloads of a process by session: the browser tells of all
// on one connection, and names neither context nor target but the frame, which
// may not be known yet. That it has begun and how it goes may be told in either
// order.
type downloadRouter struct {
	mu    sync.Mutex
	items map[string]*received // by GUID
}

// received is what has been told of a download.
type received struct {
	owner   Session // nil until it is known whose it is
	context cdp.BrowserContextID
	begun   *cdpbrowser.EventDownloadWillBegin
	last    *cdpbrowser.EventDownloadProgress
}

// maxUnclaimed bounds the downloads that are remembered; a page can begin any
// number.
const maxUnclaimed = 1000

func newDownloadRouter() *downloadRouter { return &downloadRouter{items: map[string]*received{}} }

// at returns what is known of a download; nil beyond the limit. It is called
// with the lock held.
func (d *downloadRouter) at(guid string) *received {
	r := d.items[guid]
	if r == nil && len(d.items) >= maxUnclaimed {
		d.dropUnclaimed()
	}
	if r == nil && len(d.items) < maxUnclaimed {
		r = &received{}
		d.items[guid] = r
	}
	return r
}

func (d *downloadRouter) dropUnclaimed() {
	for guid, r := range d.items {
		if r.owner == nil {
			delete(d.items, guid)
		}
	}
}

// forget drops the downloads of a context that has ended.
func (d *downloadRouter) forget(context cdp.BrowserContextID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for guid, r := range d.items {
		if r.context == context {
			delete(d.items, guid)
		}
	}
}

// ended reports whether nothing more will be told of the download.
func (r *received) ended() bool {
	return r.last != nil && r.last.State != cdpbrowser.DownloadProgressStateInProgress
}

// onDownload takes in an event of a download and passes it on to its session.
// It runs on the goroutine that reads the browser's messages.
func (p *Process) onDownload(guid string, note func(*received)) {
	p.router.mu.Lock()
	defer p.router.mu.Unlock()
	r := p.router.at(guid)
	if r == nil {
		return
	}
	note(r)
	if r.owner == nil {
		r.owner, r.context = p.ownerOf(r)
	}
	p.router.tell(guid, r)
}

// Claim gives a session the downloads of a frame that turns out to be of its
// context.
func (p *Process) Claim(s Session, context cdp.BrowserContextID, id cdp.FrameID) {
	p.router.mu.Lock()
	defer p.router.mu.Unlock()
	for guid, r := range p.router.items {
		if r.owner == nil && r.begun != nil && r.begun.FrameID == id {
			r.owner, r.context = s, context
			p.router.tell(guid, r)
		}
	}
}

// tell passes on what is known, once it is known whose and what it is.
func (d *downloadRouter) tell(guid string, r *received) {
	if r.owner == nil || r.begun == nil {
		return
	}
	r.owner.Download(r.context, r.begun, r.last)
	if r.ended() {
		delete(d.items, guid)
	}
}

// ownerOf finds the session of a download and the context in it: by its frame,
// or by the directory in which it was put.
func (p *Process) ownerOf(r *received) (owner Session, context cdp.BrowserContextID) {
	p.each(func(s Session) {
		var frame cdp.FrameID
		if r.begun != nil {
			frame = r.begun.FrameID
		}
		file := ""
		if r.last != nil {
			file = r.last.FilePath
		}
		id := s.DownloadContext(frame, file)
		if id != "" {
			owner, context = s, id
		}
	})
	return owner, context
}
