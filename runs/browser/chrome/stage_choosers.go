package chrome

import (
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/policy"
)

// setInterceptChoosers lets a client answer the questions of a page for files.
// The session's own answer, that nothing was chosen, is held back as long as
// one does, before the client's takes effect until after it has ended.
func (c *conn) setInterceptChoosers(st *seat, cmd policy.Command) {
	p := parsed[struct{ Enabled, Cancel bool }](cmd)
	on := p.Enabled && !p.Cancel
	c.later(cmd, func() (any, error) {
		if on {
			c.setChoosing(st, true)
			c.s.settleChooser(c.ctx, st.target)
		}
		res, err := c.call(st.real, cmd.Method, paramsOf(cmd))
		if !on && err == nil {
			c.setChoosing(st, false)
			c.s.settleChooser(c.ctx, st.target)
		}
		return res, err
	})
}

func (c *conn) setChoosing(st *seat, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	st.choosing = on
}

// choosing reports whether a client answers the questions of a target.
func (v *visitors) choosing(id target.ID) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for c := range v.conns {
		if c.any(func(st *seat) bool { return st.choosing && st.target == id }) {
			return true
		}
	}
	return false
}
