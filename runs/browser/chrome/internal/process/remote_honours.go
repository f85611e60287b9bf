package process

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// Honours refuses what the browser, as far as it is from here, cannot give.
func (p *Process) Honours(o browser.Options) error {
	if field := needsProxy(o); field != "" && !p.Reaches().Proxy {
		return ErrNotRemote(field)
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

// ErrNotRemote says what a browser elsewhere cannot give.
func ErrNotRemote(field string) error {
	return errtypes.Field(field, "cannot be honoured by the remote browser that this instance uses")
}
