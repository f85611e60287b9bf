package egress

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/drover-go/drover/errtypes"
)

// DialContext connects to addr, a "host:port" with a numeric port, over "tcp",
// "tcp4" or "tcp6". A host name is looked up once; of its addresses only those
// that are free are connected to. When there is none, or the port is blocked,
// the error is a *RefusedError and nothing was connected to. Other errors are
// those of package net.
func (g *Gate) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := splitAddr(network, addr)
	if err != nil {
		return nil, err
	}
	if err := g.CheckPort(host, port); err != nil {
		return nil, g.refused(ctx, err)
	}
	resolved, err := g.resolve(ctx, network, host)
	if err != nil {
		return nil, err
	}
	free, err := g.free(host, resolved)
	if err != nil {
		return nil, g.refused(ctx, err)
	}
	targets := make([]netip.AddrPort, 0, len(free))
	for _, a := range free[:min(len(free), g.opts.MaxAddresses)] {
		targets = append(targets, netip.AddrPortFrom(a, port))
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.ConnectTimeout)
	defer cancel()
	return g.race(ctx, targets, g.dialOne)
}

func splitAddr(network, addr string) (host string, port uint16, err error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return "", 0, errtypes.New(errtypes.Invalid, "network %q is not dialled; only tcp is", network)
	}
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, &net.AddrError{Err: "invalid port", Addr: addr}
	}
	return host, uint16(n), nil
}

// resolve returns the addresses of host, those of IPv6 and IPv4 in turn.
func (g *Gate) resolve(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	if isBelowLocalhost(host) {
		return loopback(network), nil
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.ResolveTimeout)
	defer cancel()
	family := map[string]string{"tcp": "ip", "tcp4": "ip4", "tcp6": "ip6"}[network]
	addrs, err := g.opts.Resolver.LookupNetIP(ctx, family, host)
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no addresses", Name: host, IsNotFound: true}
	}
	return interleave(addrs), nil
}

// isBelowLocalhost reports whether a name means this machine, which no resolver
// is asked about (RFC 6761, 6.3), and few know.
func isBelowLocalhost(host string) bool {
	return strings.HasSuffix(strings.ToLower(strings.TrimSuffix(host, ".")), ".localhost")
}

func loopback(network string) []netip.Addr {
	four, six := netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()
	switch network {
	case "tcp4":
		return []netip.Addr{four}
	case "tcp6":
		return []netip.Addr{six}
	}
	return []netip.Addr{four, six}
}

// interleave puts the families in turn, beginning with that of the first
// address, so that the fallback of a dead family is the other one.
func interleave(addrs []netip.Addr) []netip.Addr {
	first := addrs[0].Unmap().Is4()
	var same, other, all []netip.Addr
	for _, a := range addrs {
		if a.Unmap().Is4() == first {
			same = append(same, a)
		} else {
			other = append(other, a)
		}
	}
	for i := range max(len(same), len(other)) {
		all = append(all, same[min(i, len(same)):min(i+1, len(same))]...)
		all = append(all, other[min(i, len(other)):min(i+1, len(other))]...)
	}
	return all
}

// free returns the addresses that may be connected to, unmapped, so that what
// was checked is what is dialled; a RefusedError about the first when there is
// none.
func (g *Gate) free(host string, addrs []netip.Addr) ([]netip.Addr, error) {
	var refused *RefusedError
	kept := slices.DeleteFunc(slices.Clone(addrs), func(a netip.Addr) bool {
		class := g.refuses(a)
		if class != "" && refused == nil {
			refused = &RefusedError{Host: host, Addr: a, Class: class}
		}
		return class != ""
	})
	if len(kept) == 0 {
		return nil, refused
	}
	for i := range kept {
		kept[i] = kept[i].Unmap()
	}
	return kept, nil
}

func (g *Gate) refused(ctx context.Context, err error) error {
	g.metrics.refused(err)
	g.opts.Logger.LogAttrs(ctx, slog.LevelInfo, "egress refused", slog.String("error", err.Error()))
	return err
}

// race connects to the targets one after the other, each one after the
// fallback delay or as soon as the one before has failed, and returns the
// first connection. No attempt outlives it.
func (g *Gate) race(ctx context.Context, targets []netip.AddrPort, dial dialFunc) (_ net.Conn, err error) {
	asked := ctx
	defer func() { g.metrics.tried(asked, err) }()
	if len(targets) == 1 {
		return dial(ctx, targets[0])
	}
	ctx, cancel := context.WithCancel(ctx)
	results := make(chan dialed, len(targets))
	timer := g.opts.Clock.NewTimer(0)
	defer timer.Stop()
	started, running := 0, 0
	defer func() { cancel(); closeLosers(results, running) }()
	var errs []error
	for {
		select {
		case <-timer.C():
		case r := <-results:
			running--
			if r.err == nil {
				return r.conn, nil
			}
			if errs = append(errs, r.err); len(errs) == len(targets) {
				return nil, errs[0]
			}
		}
		if started < len(targets) {
			go func(target netip.AddrPort) {
				conn, err := dial(ctx, target)
				results <- dialed{conn, err}
			}(targets[started])
			started, running = started+1, running+1
			timer.Reset(g.opts.FallbackDelay)
		}
	}
}

// dialFunc connects to one address.
type dialFunc func(context.Context, netip.AddrPort) (net.Conn, error)

type dialed struct {
	conn net.Conn
	err  error
}

func closeLosers(results <-chan dialed, running int) {
	for range running {
		if r := <-results; r.err == nil {
			r.conn.Close()
		}
	}
}

// dialOne connects to one address. The operating system is asked to connect
// only after Control has checked the very address it is given.
func (g *Gate) dialOne(ctx context.Context, target netip.AddrPort) (net.Conn, error) {
	d := net.Dialer{ControlContext: g.control}
	return d.DialContext(ctx, "tcp", target.String())
}

// dialAny is dialOne for proxies that the host has configured, which may stand
// in a private network. Callers and pages have no say in where they are.
func dialAny(ctx context.Context, target netip.AddrPort) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", target.String())
}

var errNotChecked = errors.New("egress: the address given to connect was not checked")

func (g *Gate) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil || (network != "tcp4" && network != "tcp6") {
		return errNotChecked
	}
	if err := g.CheckPort(target.Addr().String(), target.Port()); err != nil {
		return err
	}
	return g.CheckAddr(target.Addr())
}
