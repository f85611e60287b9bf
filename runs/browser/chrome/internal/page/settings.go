package page

import (
	"context"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/runs/browser"
)

// Settle brings the session's settings to its first tab, which has those that it
// was made with.
func (s *Session) Settle(ctx context.Context, made browser.Options) error {
	o, t := s.Options(), s.current()
	if t == nil {
		return errNoTab
	}
	if s.BeginWatch(); o.Observe != nil {
		if err := t.listenToConsole(ctx); err != nil {
			return err
		}
	}
	if o.Width == made.Width && o.Height == made.Height && max(o.DeviceScaleFactor, 1) == max(made.DeviceScaleFactor, 1) {
		return nil
	}
	return t.resize(ctx)
}

// settleFrame brings the session's settings to a frame of another site, which
// asks for files by itself.
func (s *Session) settleFrame(life context.Context, t *chromedp.Target) error {
	err := chromedp.Listen(life, func(ev any) {
		if ev, ok := ev.(*page.EventFileChooserOpened); ok {
			s.chooser.opened(t, ev)
		}
	})
	if err != nil {
		return err
	}
	return s.intercept(life, t, t.TargetID)
}
