package fetch

import (
	"context"
	"net/http"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// path is a way to the pages: directly, or through proxies.
type path struct {
	dialer    *egress.Dialer
	transport *http.Transport
}

// paths are one way for those who verify certificates and one for those who
// accept any, so that no connection of theirs serves others.
type paths struct{ secure, insecure path }

func newPaths(c Config, policy egress.Policy) paths {
	d := c.Gate.Dialer(policy)
	return paths{path{d, newTransport(c, d, false)}, path{d, newTransport(c, d, true)}}
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

// path returns the way that the options ask for.
func (c *client) path(ctx context.Context, o Options) (path, error) {
	switch {
	case len(o.ProxyRules) > 0 || o.usesCertificates():
		return c.ownPath(ctx, o)
	case o.Proxies && len(c.pooled) == 0:
		return path{}, errNoProxies
	case o.Proxies:
		return c.pooled[c.conf.Proxies.Turn()].choose(o.AllowInsecureSSL), nil
	}
	return c.direct.choose(o.AllowInsecureSSL), nil
}

// policy is what the options ask for, for one fetch.
func (c *client) policy(ctx context.Context, o Options) (egress.Policy, error) {
	var rules []egress.ProxyRule
	for _, r := range o.ProxyRules {
		rules = append(rules, egress.ProxyRule(r))
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
	added, err := c.conf.tlsMaterial(ctx, o)
	return egress.Policy{Routes: routes, TLS: added}, err
}

var errNoProxies = errtypes.Field("proxies", "must be false: no proxy is configured")

// ownPath is a way for one fetch. Its connections end with it.
func (c *client) ownPath(ctx context.Context, o Options) (path, error) {
	policy, err := c.policy(ctx, o)
	if err != nil {
		return path{}, err
	}
	d := c.conf.Gate.Dialer(policy)
	t := newTransport(c.conf, d, o.AllowInsecureSSL)
	t.DisableKeepAlives = true
	return path{d, t}, nil
}

func (c *client) close() {
	c.direct.close()
	for _, p := range c.pooled {
		p.close()
	}
}
