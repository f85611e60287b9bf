package page

import (
	"cmp"
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// Page implements [browser.Session].
func (s *Session) Page(ctx context.Context) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Page")
	caller := ctx
	t, done, err := s.work(&ctx)
	if err != nil {
		return s.orStanding(caller, err)
	}
	defer done()
	p, err := s.pageOf(ctx, t)
	if err != nil {
		return s.orStanding(caller, err)
	}
	return p, nil
}

func (s *Session) pageOf(ctx context.Context, t *tab) (browser.Page, error) {
	info, err := about(ctx, t.mainFrame())
	if err != nil {
		return browser.Page{}, s.Explain(ctx, err)
	}
	state := t.track.now()
	p := browser.Page{URL: info.URL, Title: Clean(info.Title, s.opts.Limits.Message), Status: cmp.Or(state.status, info.Status), Loading: info.Ready == "loading"}
	if state.unreachable != "" { // the browser's own error page is shown
		p.URL, p.Title = state.unreachable, ""
	}
	s.noteShown(t, p)
	p.Dialogs, p.Downloads, p.Tabs = s.takeDialogs(), s.h.TakeDownloads(), s.openTabs()
	p.AskedFiles = s.chooser.takeMissed() && !s.Clients.Choosing(t.id)
	return p, nil
}
