package mux

import (
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// enablePage lets a client hear of a page, its dialogs among the rest. From here
// on it answers them.
func (c *conn) enablePage(st *attachment, cmd policy.Command) {
	c.locked(func() { st.hearing = true })
	c.forward(st, cmd)
}

// disablePage leaves the dialogs to others, the one that is open included.
func (c *conn) disablePage(st *attachment, cmd policy.Command) {
	c.forward(st, cmd)
	c.locked(func() { st.hearing = false })
	c.s.Spawn(func() { c.s.SettleDialog(st.target) })
}

// locked changes what is the client's, or one of its attachments'.
func (c *conn) locked(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// Hearing reports whether a client hears of the dialogs of a page.
func (v *Clients) Hearing(id target.ID) bool {
	return v.any(func(st *attachment) bool { return st.hearing && st.target == id })
}

// any reports whether something holds for an attachment of a client.
func (v *Clients) any(holds func(*attachment) bool) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for c := range v.conns {
		if len(c.those(holds)) > 0 {
			return true
		}
	}
	return false
}

// those are the attachments of the client for which something holds.
func (c *conn) those(holds func(*attachment) bool) (all []*attachment) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, st := range c.attachments {
		if holds(st) {
			all = append(all, st)
		}
	}
	return all
}
