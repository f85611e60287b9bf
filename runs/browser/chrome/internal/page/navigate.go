package page

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/runs/browser"
)

// Navigate implements [browser.Session].
func (s *Session) Navigate(ctx context.Context, rawURL string) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Navigate")
	u, err := egress.ParseURL(rawURL)
	if err != nil {
		return browser.Page{}, err
	}
	if err := s.standing.err(); err != nil {
		return browser.Page{}, err
	}
	t, err := s.tabToNavigate(ctx)
	if err != nil {
		return browser.Page{}, err
	}
	return s.goTo(ctx, t, u, func(context.Context) error { return nil }) // of a download the page that was there stands
}

// goTo loads an address in a tab. Of one that leads to a file, downloaded is
// called when the file has begun to come.
func (s *Session) goTo(ctx context.Context, t *tab, u *url.URL, downloaded func(context.Context) error) (browser.Page, error) {
	s.h.ForgetUnreachable()
	begun := s.h.DownloadsBegun()
	err := s.load(ctx, t, u)
	if err == error(errDownload) {
		if err = s.h.AwaitDownload(ctx, begun); err == nil {
			err = downloaded(ctx)
		}
	}
	if err != nil {
		return s.orStanding(ctx, err)
	}
	p, err := s.Page(ctx)
	return p, cmp.Or(err, s.proxyError(p))
}

// tabToNavigate returns the current tab; a new one where pages have closed all,
// and a crashed one made good.
func (s *Session) tabToNavigate(caller context.Context) (*tab, error) {
	ctx, done := s.Bounded(caller, s.opts.Call, "open a tab")
	defer done()
	t, err := s.tab(ctx)
	if errors.Is(err, errNoTab) {
		t, err = s.newTab(ctx)
	}
	if err != nil {
		return nil, s.Explain(ctx, err)
	}
	t.unstick(caller)
	t.revive()
	return t, nil
}

// load navigates the tab and waits until its page has settled.
func (s *Session) load(ctx context.Context, t *tab, u *url.URL) error {
	started := s.opts.Clock.Now()
	before := t.track.now()
	res, err := s.startLoad(ctx, t, u)
	switch {
	case err != nil:
		return err
	case res.IsDownload:
		return errDownload
	case res.ErrorText != "":
		return s.Explain(ctx, s.loadError(t, u, res.ErrorText))
	}
	if res.LoaderID == "" { // within the document that is there
		ctx, done := s.during(ctx, t, s.opts.Settle.longest(), "settle")
		defer done()
		return s.Explain(ctx, s.opts.Settle.afterAction(ctx, t.track, before, nil))
	}
	return s.settleLoad(ctx, t, before, started)
}

// startLoad asks for the page and returns when the browser shows it, or knows
// that it cannot.
func (s *Session) startLoad(ctx context.Context, t *tab, u *url.URL) (page.NavigateResult, error) {
	ctx, done := s.during(ctx, t, s.opts.Navigate, "load")
	defer done()
	res, err := cdp.Call(ctx, t.target, page.Navigate, page.NavigateParams{URL: u.String()})
	if err != nil {
		s.stopLoading(t)
	}
	return res, s.Explain(ctx, err)
}

// stopLimit bounds breaking off a load, which the next one must not overtake.
const stopLimit = 2 * time.Second

// stopLoading breaks off a load that nobody waits for any more.
func (s *Session) stopLoading(t *tab) {
	ctx, done := s.during(context.Background(), t, stopLimit, "stop")
	defer done()
	cdp.Call(ctx, t.target, page.StopLoading, cdp.Empty{})
}

// loadError explains a navigation that failed: with the proxy's reason where it
// did not connect to the server, which a redirect may have changed.
func (s *Session) loadError(t *tab, u *url.URL, text string) error {
	for _, at := range []string{t.track.now().requested, u.String()} {
		if reason := s.h.Unreachable(at); reason != nil {
			return Unreachable(reason)
		}
	}
	if err := s.h.NetworkEnded(); err != nil {
		return err
	}
	if text == "net::ERR_ABORTED" {
		return errNoContent
	}
	return netError(text)
}

// proxyError is the proxy's reason for a page that it wrote itself. Over http
// a browser shows what a proxy answers in place of the server.
func (s *Session) proxyError(p browser.Page) error {
	if p.Status != http.StatusForbidden && p.Status != http.StatusBadGateway || !strings.HasPrefix(p.URL, "http:") {
		return nil
	}
	if reason := s.h.Unreachable(p.URL); reason != nil {
		return Unreachable(reason)
	}
	return nil
}

// Unreachable turns the proxy's reason into the caller's error. A refusal, and a
// proxy that failed, have their own kind and message.
func Unreachable(reason error) error {
	if _, ours := errors.AsType[*errtypes.Error](reason); ours { // a refusal, or a proxy behind the session's
		return reason
	}
	var dns *net.DNSError
	if errors.As(reason, &dns) && dns.IsNotFound {
		return errtypes.New(errtypes.BadGateway, "the host name could not be resolved").WithCause(reason)
	}
	if dns != nil { // nobody has said that there is no such name
		return errtypes.New(errtypes.GatewayTimeout, "the host name could not be resolved, because no name server answered").WithCause(reason)
	}
	var timeout net.Error
	if errors.As(reason, &timeout) && timeout.Timeout() {
		return errtypes.New(errtypes.GatewayTimeout, "the server did not answer in time").WithCause(reason)
	}
	return errtypes.New(errtypes.BadGateway, "the server could not be reached").WithCause(reason)
}
