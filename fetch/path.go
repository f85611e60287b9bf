package fetch

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// path is a way to the pages: directly, or through proxies.
type path struct {
	dialer    *egress.Dialer
	transport *http.Transport
	// own goes to the target alone, which it shows the certificates of the fetch.
	own    *http.Transport
	target string
}

// to is what requests for a URL go over.
func (p path) to(u *url.URL) *http.Transport {
	if p.own != nil && u.Scheme == "https" && targetOf(u) == p.target {
		return p.own
	}
	return p.transport
}

// targetOf is the server of a URL of https, as connections to it name it.
func targetOf(u *url.URL) string {
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "443"))
}

// paths are one way for those who verify certificates and one for those who
// accept any, so that no connection of theirs serves others.
type paths struct{ secure, insecure path }

func newPaths(c Config, policy egress.Policy) paths {
	d := c.Gate.Dialer(policy)
	of := func(insecure bool) path {
		return path{dialer: d, transport: newTransport(c, d, d.TLSConfig(insecure, ""))}
	}
	return paths{of(false), of(true)}
}

func (p paths) choose(insecure bool) path {
	if insecure {
		return p.insecure
	}
	return p.secure
}

func (p paths) close() {
	p.secure.transport.CloseIdleConnections()
	p.insecure.transport.CloseIdleConnections()
}

// path returns the way that the options ask for, of a fetch that begins at the
// origin.
func (c *client) path(ctx context.Context, o Options, origin *url.URL) (path, error) {
	switch {
	case len(o.ProxyRules) > 0 || len(o.AllowedDomains) > 0 || o.usesCertificates():
		return c.ownPath(ctx, o, origin)
	case o.Proxies && len(c.pooled) == 0:
		return path{}, errNoProxies
	case o.Proxies:
		return c.pooled[c.conf.Proxies.Turn()].choose(o.AllowInsecureSSL), nil
	}
	return c.direct.choose(o.AllowInsecureSSL), nil
}

// policy is what the options ask for, for one fetch.
func (c *client) policy(ctx context.Context, o Options, origin *url.URL) (egress.Policy, error) {
	var rules []egress.ProxyRule
	for _, r := range o.ProxyRules {
		rules = append(rules, egress.ProxyRule{Type: r.Type, DomainPattern: r.DomainPattern, Server: r.Server, Username: r.Username, Password: r.Password})
	}
	if o.Proxies {
		if len(c.pooled) == 0 {
			return egress.Policy{}, errNoProxies
		}
		rules = []egress.ProxyRule{{Type: "managed"}}
	}
	routes, err := c.conf.Gate.Routes(c.conf.Proxies, rules, "proxies")
	if err != nil {
		return egress.Policy{}, err
	}
	added, err := c.conf.tlsMaterial(ctx, o, origin)
	return egress.Policy{Routes: routes, TLS: added, AllowedDomains: o.AllowedDomains}, err
}

var errNoProxies = errtypes.Field("proxies", "must be false: no proxy is configured")

// ownPath is a way for one fetch. Its connections end with it.
func (c *client) ownPath(ctx context.Context, o Options, origin *url.URL) (path, error) {
	policy, err := c.policy(ctx, o, origin)
	if err != nil {
		return path{}, err
	}
	d := c.conf.Gate.Dialer(policy)
	to := func(target string) *http.Transport {
		t := newTransport(c.conf, d, d.TLSConfig(o.AllowInsecureSSL, target))
		t.DisableKeepAlives = true
		return t
	}
	p := path{dialer: d, transport: to(""), target: policy.TLS.Target}
	if p.target != "" {
		p.own = to(p.target)
	}
	return p, nil
}

func (c *client) close() {
	c.direct.close()
	for _, p := range c.pooled {
		p.close()
	}
}
