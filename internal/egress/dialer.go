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
	return &Dialer{gate: g, rules: newRules(p, g.ads, g.opts.Roots)}
}

// DialContext connects to addr, a "host:port", as [Gate.DialContext] does, or by
// a tunnel through a proxy. A proxy that fails is an errtypes.BadGateway, or
// GatewayTimeout, whose text says what it did; whether another of its pool is
// worth a try, [TryNext] tells.
func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if h := d.standsFor(addr); h.up != nil {
		return d.gate.dialUpstream(ctx, h)
	}
	h, err := d.route(ctx, addr)
	switch {
	case err != nil:
		return nil, err
	case h.up == nil:
		return d.gate.DialContext(ctx, network, addr)
	}
	return d.gate.tunnel(ctx, h, addr)
}

// route returns what leads to a "host:port", or why the policy or the gate
// refuses it.
func (d *Dialer) route(ctx context.Context, addr string) (hop, error) {
	host, port, err := splitAddr("tcp", addr)
	if err != nil {
		return hop{}, err
	}
	if err := d.rules.check(host); err != nil {
		d.gate.metrics.refused(err)
		return hop{}, err
	}
	h := d.rules.hop(host)
	if h.up == nil {
		return hop{}, nil
	}
	if h.up.kind == "" {
		return hop{}, errors.New("egress: a route has an empty Upstream")
	}
	return h, d.gate.checkRemote(ctx, host, port)
}

// Check returns a *BlockedError for a host that the policy refuses.
func (d *Dialer) Check(host string) error { return d.rules.check(host) }
