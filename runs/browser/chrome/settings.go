package chrome

import (
	"context"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// applySettings brings the session's settings to a tab.
func (t *tab) applySettings() error {
	if err := intercept(t.life, t.target, false); err != nil {
		return err
	}
	if err := t.disguise(); err != nil {
		return err
	}
	return t.listenToConsole(t.life)
}

// settleFrame brings them to a frame of another site, which asks for files by
// itself.
func (s *session) settleFrame(life context.Context, t *chromedp.Target) error {
	err := chromedp.Listen(life, func(ev any) {
		if ev, ok := ev.(*page.EventFileChooserOpened); ok {
			s.chooser.opened(t, ev)
		}
	})
	if err != nil {
		return err
	}
	return intercept(life, t, false)
}
