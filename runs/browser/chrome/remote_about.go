package chrome

import (
	"context"
	"fmt"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// Remote connects to the browser at RemoteURL and returns, for people, what it
// is and what of this machine it sees. Error kinds: Invalid without a RemoteURL,
// Unavailable for a browser that does not answer or lacks what is needed, Conflict
// for one that a project uses.
func (p *Provider) Remote(ctx context.Context) (about string, err error) {
	defer errtypes.Wrap(&err, "chrome.Remote")
	if p.opts.RemoteURL == "" {
		return "", errtypes.Field("RemoteURL", "is not set")
	}
	if err := p.enter(); err != nil {
		return "", err
	}
	defer p.opening.Done()
	l, err := p.fleet.Join(p.ownerOf(browser.Options{}))
	if err != nil {
		return "", err
	}
	defer l.Leave()
	proc, err := l.Process(ctx)
	if err != nil {
		return "", err
	}
	version, err := cdp.Call(ctx, proc.Browser(), cdpbrowser.GetVersion, cdp.Empty{})
	if err != nil {
		return "", errtypes.New(errtypes.Unavailable, "the remote browser does not answer").WithCause(err)
	}
	about = fmt.Sprintf("%s at %s", page.Clean(version.Product, 100), proc.Where())
	switch can := proc.Reaches(); {
	case !can.Proxy:
		about += "\nit does not reach this machine's proxies: no proxies, allowed domains, ad blocking or refusal of private networks;\nno downloads and uploads"
	case !can.Files:
		about += "\nit does not see this machine's files: no downloads and uploads"
	default:
		about += "\nit reaches this machine's proxies and sees its files"
	}
	return about, nil
}
