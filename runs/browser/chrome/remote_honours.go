package chrome

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// remoteHonours refuses, before anything is made for it, a session that asks
// for what no remote browser can give.
func (p *Provider) remoteHonours(o browser.Options) error {
	if p.opts.RemoteURL == "" {
		return nil
	}
	switch {
	case o.Verified:
		return errNotRemote("verified")
	case o.OwnProcess:
		return errNotRemote("ownProcess")
	case o.Profile != nil:
		return errNotRemote("profile")
	case !o.Egress.TLS.IsZero(): // it does not know the key of this process's proxies
		return errNotRemote("certificates")
	case len(o.Extensions) > 0:
		return errNotRemote("extensionId")
	}
	return nil
}

// honours refuses what the browser, as far as it is from here, cannot give.
func (p *process) honours(o browser.Options) error {
	if field := needsProxy(o); field != "" && !p.reaches().proxy {
		return errNotRemote(field)
	}
	return nil
}

// needsProxy names a setting that only the session's proxy can see to; empty
// where there is none.
func needsProxy(o browser.Options) string {
	switch {
	case len(o.Egress.Routes) > 0:
		return "proxies"
	case len(o.Egress.AllowedDomains) > 0:
		return "allowedDomains"
	case o.Egress.BlockAds:
		return "blockAds"
	}
	return ""
}

func errNotRemote(field string) error {
	return errtypes.Field(field, "cannot be honoured by the remote browser that this instance uses")
}
