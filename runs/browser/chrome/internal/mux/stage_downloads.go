package mux

import (
	"encoding/json"
	"strings"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// setDownloadBehavior lets a client hear of downloads. What becomes of the
// files is the session's business, in the contexts of clients, too: the browser
// follows whoever asked last, and would put them where a client wants them.
func (c *conn) setDownloadBehavior(st *attachment, cmd policy.Command) {
	p := parsed[struct{ EventsEnabled bool }](cmd)
	c.locked(func() { st.downloads = p.EventsEnabled })
	c.answer(cmd, struct{}{})
}

// shownGUID is the name that clients know a download by. Those that would look
// for the file in a folder of their own, such as Playwright, look for this name,
// and say it when they do not find it: so it says where the file is.
func (v *Clients) shownGUID(guid string) string {
	return guid + " is kept by Drover, see GET /v1/downloads?sessionId=" + v.s.ID()
}

// cancelDownload cancels what the client knows by another name.
func (c *conn) cancelDownload(st *attachment, cmd policy.Command) {
	p := map[string]json.RawMessage{}
	json.Unmarshal(paramsOf(cmd), &p)
	guid, _, _ := strings.Cut(parsed[cdpbrowser.CancelDownloadParams](cmd).GUID, " ")
	p["guid"], _ = json.Marshal(guid) // of a string
	cmd.Params, _ = json.Marshal(p)   // of what was JSON
	c.forward(st, cmd)
}

// DownloadBegins tells the clients that want to know of it.
func (v *Clients) DownloadBegins(context cdp.BrowserContextID, ev cdpbrowser.EventDownloadWillBegin) {
	ev.GUID = v.shownGUID(ev.GUID)
	v.tellDownload(context, "Browser.downloadWillBegin", ev)
}

// DownloadGoes tells the same clients how it goes, and not where on this
// machine the file is.
func (v *Clients) DownloadGoes(context cdp.BrowserContextID, ev cdpbrowser.EventDownloadProgress) {
	ev.FilePath, ev.GUID = "", v.shownGUID(ev.GUID)
	v.tellDownload(context, "Browser.downloadProgress", ev)
}

func (v *Clients) tellDownload(context cdp.BrowserContextID, method string, params any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for c := range v.conns {
		if !c.owns(context) {
			continue
		}
		for _, st := range c.those(func(st *attachment) bool { return st.downloads }) {
			c.event(st, method, params)
		}
	}
}
