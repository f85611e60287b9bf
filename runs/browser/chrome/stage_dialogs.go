package chrome

import (
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/policy"
)

// enablePage lets a client hear of a page, its dialogs among the rest. From here
// on it answers them.
func (c *conn) enablePage(st *seat, cmd policy.Command) {
	c.setHearing(st, true)
	c.forward(st, cmd)
}

// disablePage leaves the dialogs to others, the one that is open included.
func (c *conn) disablePage(st *seat, cmd policy.Command) {
	c.forward(st, cmd)
	c.setHearing(st, false)
	c.s.spawn(func() { c.s.settleDialog(st.target) })
}

func (c *conn) setHearing(st *seat, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	st.hearing = on
}

// hearing reports whether a client hears of the dialogs of a page.
func (v *visitors) hearing(id target.ID) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for c := range v.conns {
		if c.any(func(st *seat) bool { return st.hearing && st.target == id }) {
			return true
		}
	}
	return false
}

// any reports whether something holds for a seat of the client's.
func (c *conn) any(holds func(*seat) bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, st := range c.seats {
		if holds(st) {
			return true
		}
	}
	return false
}
