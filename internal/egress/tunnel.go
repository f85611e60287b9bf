package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// dialUpstream connects to a proxy, with TLS if it is an https one. A proxy that
// a caller has chosen must pass the gate; one of the host's is the host's own
// choice.
func (g *Gate) dialUpstream(ctx context.Context, h hop) (net.Conn, error) {
	return g.bounded(ctx, h, func(ctx context.Context) (net.Conn, error) { return g.reachUpstream(ctx, h.up) })
}

// tunnel returns a connection to addr, a "host:port", through the proxy.
func (g *Gate) tunnel(ctx context.Context, h hop, addr string) (net.Conn, error) {
	return g.bounded(ctx, h, func(ctx context.Context) (net.Conn, error) {
		conn, err := g.reachUpstream(ctx, h.up)
		if err != nil {
			return nil, err
		}
		return during(ctx, conn, func() (net.Conn, error) { return h.up.ask(conn, addr) })
	})
}

// bounded gives a proxy its time, and says so when it has passed.
func (g *Gate) bounded(ctx context.Context, h hop, f func(context.Context) (net.Conn, error)) (net.Conn, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := g.opts.Clock.AfterFunc(g.opts.UpstreamTimeout, func() { cancel(errUpstreamSlow) })
	defer timer.Stop()
	conn, err := f(ctx)
	switch cause := context.Cause(ctx); {
	case err == nil:
		return conn, nil
	case errors.Is(cause, errUpstreamSlow):
		inner, ok := errors.AsType[*upstreamFailure](err)
		err = h.up.failure(errtypes.GatewayTimeout, ok && inner.unreached, err, "did not answer in time")
	case cause != nil:
		return nil, cause
	}
	return nil, g.outOfOrder(ctx, h.told(err))
}

// outOfOrder logs that another proxy will be tried, of which nobody else hears.
func (g *Gate) outOfOrder(ctx context.Context, err error) error {
	if TryNext(err, 0) {
		g.opts.Logger.LogAttrs(ctx, slog.LevelWarn, "a proxy cannot be reached, others are tried", slog.String("error", err.Error()))
	}
	return err
}

var errUpstreamSlow = errors.New("egress: a proxy took too long")

// reachUpstream makes the connection itself.
func (g *Gate) reachUpstream(ctx context.Context, up *Upstream) (net.Conn, error) {
	conn, err := g.connectUpstream(ctx, up)
	if err != nil || up.kind != kindHTTPS {
		return conn, err
	}
	return during(ctx, conn, func() (net.Conn, error) {
		secure := tls.Client(conn, &tls.Config{
			ServerName: bareHost(up.host), RootCAs: g.opts.UpstreamRoots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		})
		if err := secure.Handshake(); err != nil {
			return nil, up.failure(errtypes.BadGateway, true, err, "cannot be spoken to: its TLS handshake failed")
		}
		return secure, nil
	})
}

func (g *Gate) connectUpstream(ctx context.Context, up *Upstream) (net.Conn, error) {
	dial := g.DialContext
	if up.ofHost {
		dial = g.dialUnchecked
	}
	conn, err := dial(ctx, "tcp", up.addr())
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		named := *refused
		named.Host, named.upstream = "the proxy "+refused.Host, true
		return nil, &named
	}
	if err != nil {
		return nil, up.failure(errtypes.BadGateway, true, err, "cannot be reached")
	}
	return conn, nil
}

// dialUnchecked connects to a host that the host of Drover has configured.
func (g *Gate) dialUnchecked(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := splitAddr(network, addr)
	if err != nil {
		return nil, err
	}
	resolved, err := g.resolve(ctx, network, host)
	if err != nil {
		return nil, err
	}
	var targets []netip.AddrPort
	for _, a := range resolved[:min(len(resolved), g.opts.MaxAddresses)] {
		targets = append(targets, netip.AddrPortFrom(a, port))
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.ConnectTimeout)
	defer cancel()
	return g.race(ctx, targets, dialAny)
}

// during lets f speak on a connection until ctx ends. The connection is closed
// if f fails, or has been cut off.
func during(ctx context.Context, conn net.Conn, f func() (net.Conn, error)) (net.Conn, error) {
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	spoken, err := f()
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return spoken, nil
}
