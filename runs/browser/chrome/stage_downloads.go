package chrome

import (
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"github.com/drover-go/drover/runs/browser/chrome/internal/policy"
)

// setDownloadBehavior lets a client hear of downloads. What becomes of the
// files is the session's business, in the contexts of clients, too: the browser
// follows whoever asked last, and would put them where a client wants them.
func (c *conn) setDownloadBehavior(st *seat, cmd policy.Command) {
	p := parsed[struct{ EventsEnabled bool }](cmd)
	c.mu.Lock()
	st.downloads = p.EventsEnabled
	c.mu.Unlock()
	c.answer(cmd, struct{}{})
}

// downloadBegins tells the clients that want to know of it.
func (v *visitors) downloadBegins(context cdp.BrowserContextID, ev *cdpbrowser.EventDownloadWillBegin) {
	v.tellDownload(context, "Browser.downloadWillBegin", ev)
}

// downloadGoes tells the same clients how it goes, and not where on this
// machine the file is.
func (v *visitors) downloadGoes(context cdp.BrowserContextID, ev cdpbrowser.EventDownloadProgress) {
	ev.FilePath = ""
	v.tellDownload(context, "Browser.downloadProgress", ev)
}

func (v *visitors) tellDownload(context cdp.BrowserContextID, method string, params any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for c := range v.conns {
		if !c.owns(context) {
			continue
		}
		for _, st := range c.downloading() {
			c.event(st, method, params)
		}
	}
}

// downloading returns the client's protocol sessions that want to hear of
// downloads.
func (c *conn) downloading() (all []*seat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, st := range c.seats {
		if st.downloads {
			all = append(all, st)
		}
	}
	return all
}
