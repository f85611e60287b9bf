package mux

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// world is what belongs to a client, for the policy of a command to an attachment.
type world struct {
	c  *conn
	st *attachment
}

var _ policy.World = world{}

func (w world) Context() string { return string(w.c.contextOf(w.st)) }

// contextOf is the browser context of an attachment's target. What is not known by
// itself, such as a worker that has just come, is in that of what it belongs to.
func (c *conn) contextOf(st *attachment) cdp.BrowserContextID {
	for st != nil && !st.root {
		if info := c.clients.find(st.target); info != nil && c.owns(info.BrowserContextID) {
			return info.BrowserContextID
		}
		st = c.realAttachment(st.parent)
	}
	return c.s.ContextID()
}

func (c *conn) realAttachment(id target.SessionID) *attachment {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.attachments[id]
}

func (w world) Alone() bool { return w.c.s.Alone() }

func (w world) OwnsContext(id string) bool { return id != "" && w.c.owns(cdp.BrowserContextID(id)) }

func (w world) OwnsTarget(id string) bool {
	if target.ID(id) == w.c.browser {
		return true
	}
	info := w.c.clients.find(target.ID(id))
	return info != nil && w.c.owns(info.BrowserContextID)
}

func (w world) OwnsSession(id string) bool {
	return id != "" && w.c.attachment(target.SessionID(id)) != nil
}

func (w world) OwnsWindow(id int64) bool {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	return w.c.windows[id]
}

func (w world) OwnsExtension(id string) bool { return w.c.s.Loaded(id) }

func (w world) Upload(name string) (string, bool) {
	if !w.c.s.SeesFiles() {
		return "", false
	}
	return w.c.clients.upload(name)
}

// owns reports whether a browser context is the session's, or one that the
// client has made.
func (c *conn) owns(id cdp.BrowserContextID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return id == c.s.ContextID() || c.contexts[id]
}
