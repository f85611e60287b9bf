package mux

import (
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// setInterceptChoosers lets a client answer the questions of a page for files.
// The session's own answer, that nothing was chosen, is held back as long as
// one does, before the client's takes effect until after it has ended.
func (c *conn) setInterceptChoosers(st *attachment, cmd policy.Command) {
	p := parsed[struct{ Enabled, Cancel bool }](cmd)
	on := p.Enabled && !p.Cancel
	c.later(cmd, func() (any, error) {
		if on {
			c.locked(func() { st.choosing = true })
			c.s.SettleChooser(c.ctx, st.target)
		}
		res, err := c.call(st.real, cmd.Method, paramsOf(cmd))
		if !on && err == nil {
			c.locked(func() { st.choosing = false })
			c.s.SettleChooser(c.ctx, st.target)
		}
		return res, err
	})
}

// Choosing reports whether a client answers the questions of a target.
func (v *Clients) Choosing(id target.ID) bool {
	return v.any(func(st *attachment) bool { return st.choosing && st.target == id })
}
