package page

import (
	"context"
	"net/url"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

var (
	errNothingBehind = errtypes.New(errtypes.Invalid, "there is no page to go back to")
	errNothingAhead  = errtypes.New(errtypes.Invalid, "there is no page to go forward to")
)

// Back implements [browser.Navigation].
func (s *Session) Back(ctx context.Context) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Back")
	return s.move(ctx, -1)
}

// Forward implements [browser.Navigation].
func (s *Session) Forward(ctx context.Context) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Forward")
	return s.move(ctx, 1)
}

// Reload implements [browser.Navigation].
func (s *Session) Reload(ctx context.Context) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Reload")
	return s.move(ctx, 0)
}

// move goes so many pages on in the history of the current tab.
func (s *Session) move(ctx context.Context, by int) (browser.Page, error) {
	if err := s.standing.err(); err != nil {
		return browser.Page{}, err
	}
	t, err := s.tabToNavigate(ctx)
	if err != nil {
		return browser.Page{}, err
	}
	s.h.ForgetUnreachable()
	if err := s.travel(ctx, t, by); err != nil {
		return s.orStanding(ctx, err)
	}
	p, err := s.Page(ctx)
	if err != nil || p.Dialog != nil {
		return p, err
	}
	if h, err := s.historyOf(ctx, t); err == nil {
		p.Behind, p.Ahead = h.behind(), h.ahead()
	}
	return p, s.proxyError(p)
}

// travel moves and returns when the page has settled.
func (s *Session) travel(ctx context.Context, t *tab, by int) error {
	h, err := s.historyOf(ctx, t)
	switch {
	case err != nil:
		return err
	case by < 0 && h.behind() == 0:
		return errNothingBehind
	case by > 0 && h.ahead() == 0:
		return errNothingAhead
	}
	started, before := s.opts.Clock.Now(), t.track.now()
	if err := s.setOff(ctx, t, h, by); err != nil {
		return err
	}
	if t.track.now().committed == before.committed { // within the document
		settleCtx, done := s.during(ctx, t, s.opts.Settle.longest(), "settle")
		defer done()
		return s.Explain(settleCtx, s.opts.Settle.afterAction(settleCtx, t.track, before, nil))
	}
	if err := s.settleLoad(ctx, t, before, started); err != nil {
		return err
	}
	if to := t.track.now().unreachable; to != "" {
		return s.notReached(t, to)
	}
	return nil
}

// setOff asks for the page and returns when it is shown.
func (s *Session) setOff(ctx context.Context, t *tab, h history, by int) error {
	ctx, done := s.during(ctx, t, s.opts.Navigate, "load")
	defer done()
	before := t.track.now()
	err := h.ask(ctx, t, by)
	if err == nil {
		_, err = t.track.wait(ctx, s.opts.Navigate+time.Second, func(now loadState) bool {
			return now.shown > before.shown || now.navigations > before.navigations && loaded(now)
		})
	}
	if err != nil {
		s.stopLoading(t)
		return s.Explain(ctx, err)
	}
	if t.track.now().shown == before.shown {
		return errNoContent
	}
	return nil
}

// notReached is the reason why the browser shows a page of its own.
func (s *Session) notReached(t *tab, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return errNoContent
	}
	return s.loadError(t, u, "net::ERR_FAILED")
}

// A history is where a tab has been, and where in that it is.
type history struct {
	at  int
	all []*page.NavigationEntry
}

func (s *Session) historyOf(ctx context.Context, t *tab) (history, error) {
	ctx, done := s.during(ctx, t, s.opts.Call, "answer")
	defer done()
	res, err := cdp.Call(ctx, t.target, page.GetNavigationHistory, cdp.Empty{})
	return history{int(res.CurrentIndex), res.Entries}, s.Explain(ctx, err)
}

// behind leaves out the empty page that every tab begins with.
func (h history) behind() int {
	if h.at > 0 && h.at <= len(h.all) && h.all[0].URL == "about:blank" {
		return h.at - 1
	}
	return max(h.at, 0)
}

func (h history) ahead() int { return max(len(h.all)-1-h.at, 0) }

func (h history) ask(ctx context.Context, t *tab, by int) (err error) {
	if by == 0 {
		_, err = cdp.Call(ctx, t.target, page.Reload, page.ReloadParams{})
		return err
	}
	_, err = cdp.Call(ctx, t.target, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: h.all[h.at+by].ID})
	return err
}

// settleLoad returns when a page that is shown has settled.
//
// A document that does not come to an end, because the server holds it open or a
// script does not come, is taken as it is. Its load event is not waited for, then.
func (s *Session) settleLoad(ctx context.Context, t *tab, before loadState, started time.Time) error {
	settle, limit := s.opts.Settle, s.opts.Navigate
	ctx, done := s.during(ctx, t, limit+settle.longest(), "settle")
	defer done()
	left := max(min(settle.Document, limit-s.opts.Clock.Now().Sub(started)), 0)
	whole, err := t.track.wait(ctx, left, func(now loadState) bool {
		return now.domReady > before.domReady || loaded(now)
	})
	if err == nil && whole {
		err = settle.afterNavigation(ctx, t.track, settle.NavigateLoad)
	}
	return s.Explain(ctx, err)
}
