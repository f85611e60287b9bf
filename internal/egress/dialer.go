package egress

import (
	"context"
	"errors"
	"net"
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

// Check returns a *BlockedError for a host that the policy refuses.
func (d *Dialer) Check(host string) error { return d.rules.check(host) }
