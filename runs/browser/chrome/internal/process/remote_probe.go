package process

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// probeTime bounds the wait for a browser's attempt to reach this machine.
const probeTime = 5 * time.Second

// probe finds out what a remote browser sees of this machine. An address would
// not tell: a container's port may be on loopback, and its browser is not.
func (p *Process) probe(ctx context.Context) (can Reach, err error) {
	host := ids.New() + ".invalid"
	heard := make(chan struct{}, 1)
	proxy, err := p.opts.Proxy(func(target string, _ error) {
		if strings.HasPrefix(target, host+":") {
			lifecycle.Poke(heard)
		}
	})
	if err != nil {
		return can, err
	}
	defer proxy.Close()
	proxy.Use(egress.Policy{AllowedDomains: []string{"nothing.invalid"}}) // what is asked for is refused, and told
	made, err := mux.Decoded[target.CreateBrowserContextResult](p.wire.Call(ctx, "", target.CreateBrowserContext.Method, target.CreateBrowserContextParams{
		DisposeOnDetach: new(true), ProxyServer: "http://" + proxy.Addr(), ProxyBypassList: "<-loopback>",
	}))
	if err != nil {
		return can, err
	}
	defer p.wire.Call(ctx, "", target.DisposeBrowserContext.Method, target.DisposeBrowserContextParams(made))
	p.away.ask(made.BrowserContextID)
	session, err := p.probePage(ctx, made.BrowserContextID)
	if err != nil {
		return can, err
	}
	p.goes(ctx, session, "http://"+host+"/")
	select {
	case <-heard:
		can.Proxy = true
	default:
	}
	can.Files = can.Proxy && p.seesFiles(ctx, session)
	return can, nil
}

// probePage opens a page in a context, and returns a session with it.
func (p *Process) probePage(ctx context.Context, in cdp.BrowserContextID) (target.SessionID, error) {
	made, err := mux.Decoded[target.CreateTargetResult](p.wire.Call(ctx, "", target.CreateTarget.Method, target.CreateTargetParams{URL: "about:blank", BrowserContextID: in}))
	if err != nil {
		return "", err
	}
	res, err := mux.Decoded[target.AttachToTargetResult](p.wire.Call(ctx, "", target.AttachToTarget.Method, target.AttachToTargetParams{TargetID: made.TargetID, Flatten: new(true)}))
	return res.SessionID, err
}

// seesFiles reports whether the browser finds a file that is made for it here.
func (p *Process) seesFiles(ctx context.Context, session target.SessionID) bool {
	dir, err := p.opts.Children.Dir()
	if err != nil {
		return false
	}
	f, err := os.CreateTemp(dir, "probe-*.txt")
	if err != nil {
		return false
	}
	defer os.Remove(f.Name())
	f.Close()
	return p.goes(ctx, session, (&url.URL{Scheme: "file", Path: filepath.ToSlash(f.Name())}).String())
}

// goes reports whether a page comes to an address within probeTime.
func (p *Process) goes(ctx context.Context, session target.SessionID, address string) bool {
	bound, cancel := p.Within(probeTime)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	res, err := mux.Decoded[page.NavigateResult](p.wire.Call(bound, session, page.Navigate.Method, page.NavigateParams{URL: address}))
	return err == nil && res.ErrorText == ""
}
