package chrome

import (
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// remoteHonours refuses, before anything is made for it, a session that asks
// for what no remote browser can give.
func (p *Provider) remoteHonours(o browser.Options) error {
	if p.opts.RemoteURL == "" {
		return nil
	}
	switch {
	case o.Verified:
		return process.ErrNotRemote("verified")
	case o.OwnProcess:
		return process.ErrNotRemote("ownProcess")
	case o.Profile != nil:
		return process.ErrNotRemote("profile")
	case !o.Egress.TLS.IsZero(): // it does not know the key of this process's proxies
		return process.ErrNotRemote("certificates")
	case len(o.Extensions) > 0:
		return process.ErrNotRemote("extensionId")
	}
	return nil
}
