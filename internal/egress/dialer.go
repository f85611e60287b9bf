package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// A Dialer connects as a policy says: what the policy refuses it refuses with a
// *BlockedError, the rest it reaches over the gate, directly or through a
// proxy. It is safe for concurrent use and holds nothing that must be closed.
//
// For an http.Transport both DialContext and Proxy must be set, since plain http
// goes to an http proxy as requests, not through a tunnel, which many refuse.
type Dialer struct {
	gate  *Gate
	rules *rules
}

// Dialer returns a dialer for the policy.
func (g *Gate) Dialer(p Policy) *Dialer {
	return &Dialer{gate: g, rules: newRules(p, g.ads)}
}

// DialContext connects to addr, a "host:port", as [Gate.DialContext] does, or by
// a tunnel through a proxy. A proxy that fails is an errtypes.BadGateway, or
// GatewayTimeout, whose text says what it did.
func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if up := d.standsFor(addr); up != nil {
		return d.gate.dialUpstream(ctx, up)
	}
	up, err := d.route(ctx, addr)
	switch {
	case err != nil:
		return nil, err
	case up == nil:
		return d.gate.DialContext(ctx, network, addr)
	}
	return d.gate.tunnel(ctx, up, addr)
}

// route returns the proxy for a "host:port", nil for none, or why the policy or
// the gate refuses it.
func (d *Dialer) route(ctx context.Context, addr string) (*Upstream, error) {
	host, port, err := splitAddr("tcp", addr)
	if err != nil {
		return nil, err
	}
	if err := d.rules.check(host); err != nil {
		return nil, err
	}
	up := d.rules.upstream(host)
	if up == nil {
		return nil, nil
	}
	if up.kind == "" {
		return nil, errors.New("egress: a route has an empty Upstream")
	}
	return up, d.gate.checkRemote(ctx, host, port)
}

// Proxy is for http.Transport: it says which requests go to a proxy as they
// are. The URL it returns names no host; DialContext knows what it stands for.
func (d *Dialer) Proxy(req *http.Request) (*url.URL, error) {
	if req.URL.Scheme != "http" || !d.hasRequestProxy() {
		return nil, nil
	}
	up, err := d.route(req.Context(), withPort(req.URL))
	if err != nil || !up.takesRequests() {
		return nil, err
	}
	u := &url.URL{Scheme: "http", Host: d.standIn(up)}
	if up.login != nil {
		l := up.login()
		u.User = url.UserPassword(l.user, l.password)
	}
	return u, nil
}

func (d *Dialer) hasRequestProxy() bool {
	for _, r := range d.rules.routes {
		if r.Upstream.takesRequests() {
			return true
		}
	}
	return false
}

// Answered returns the failure of a proxy that answered a request itself; nil
// for the answer of a server.
func (d *Dialer) Answered(resp *http.Response) error {
	if resp.StatusCode != http.StatusProxyAuthRequired || resp.Request == nil || resp.Request.URL.Scheme != "http" {
		return nil
	}
	up := d.rules.upstream(resp.Request.URL.Hostname())
	if !up.takesRequests() {
		return nil
	}
	return up.refusal(resp.StatusCode)
}

// standIn returns a "host:port" that no URL can name. It tells DialContext
// which proxy a request goes to.
func (d *Dialer) standIn(up *Upstream) string {
	for i, r := range d.rules.routes {
		if r.Upstream == up {
			return fmt.Sprintf("%d%s", i, standInSuffix)
		}
	}
	return ""
}

const standInSuffix = ".proxy~:80"

// standsFor returns the proxy that a "host:port" stands for; nil for a server.
func (d *Dialer) standsFor(addr string) *Upstream {
	if !strings.HasSuffix(addr, standInSuffix) {
		return nil
	}
	for _, r := range d.rules.routes {
		if r.Upstream != nil && d.standIn(r.Upstream) == addr {
			return r.Upstream
		}
	}
	return nil
}

// withPort returns the "host:port" of an http URL.
func withPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// checkRemote checks a target that a proxy will connect to, and whose name it
// will look up: blocked ports, special addresses, and names that lead to one
// as seen from here. A name that is not known here is the proxy's to know.
func (g *Gate) checkRemote(ctx context.Context, host string, port uint16) error {
	if err := g.CheckPort(host, port); err != nil {
		return g.refused(ctx, err)
	}
	addrs, err := g.lookUpRemote(ctx, host)
	if err != nil {
		return err
	}
	for _, a := range addrs {
		if class := g.refuses(a); class != "" {
			return g.refused(ctx, &RefusedError{Host: host, Addr: a, Class: class})
		}
	}
	return nil
}

var errCannotPass = errtypes.New(errtypes.Invalid, "the host's name cannot be given to a proxy")

// Check returns a *BlockedError for a host that the policy refuses.
func (d *Dialer) Check(host string) error { return d.rules.check(host) }
