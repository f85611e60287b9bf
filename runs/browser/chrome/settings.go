package chrome

import (
	"context"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/runs/browser"
)

// settle brings the session's settings to a tab that has those it was made
// with.
func (s *session) settle(ctx context.Context, t *tab, made browser.Options) error {
	o := s.options()
	s.proxy.Use(o.Egress)
	if s.beginWatch(); o.Observe != nil {
		if err := t.listenToConsole(ctx); err != nil {
			return err
		}
	}
	if o.Downloads != nil {
		if err := s.applyDownloads(ctx, s.contextID); err != nil {
			return err
		}
	}
	if o.Width == made.Width && o.Height == made.Height {
		return nil
	}
	return t.resize(ctx)
}

// settleFrame brings the session's settings to a frame of another site, which
// asks for files by itself.
func (s *session) settleFrame(life context.Context, t *chromedp.Target) error {
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
