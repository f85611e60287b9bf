package egress

import (
	"context"
	"net/netip"
	"strings"

	"github.com/drover-go/drover/internal/weburl"
)

// loopbackNames are what names of this machine stand for. A proxy would reach
// its own machine by them.
var loopbackNames = []netip.Addr{netip.MustParseAddr("127.0.0.1")}

// checkUpstream checks the port of a proxy, and its address where it has no
// name.
func (g *Gate) checkUpstream(u *Upstream) error {
	host, port, err := splitAddr("tcp", u.addr())
	if err == nil {
		err = g.CheckPort(host, port)
	}
	if addr, notAddr := netip.ParseAddr(host); err == nil && notAddr == nil {
		err = g.CheckAddr(addr)
	}
	return err
}

// lookUpRemote returns the addresses that a host has as seen from here; none
// where it is not known.
func (g *Gate) lookUpRemote(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	name := bareHost(host)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return loopbackNames, nil
	}
	if weburl.EndsInNumber(name) || len(name) > 253 || checkName(name) != nil {
		return nil, errCannotPass // a proxy might read it as an address
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.RemoteResolveTimeout)
	defer cancel()
	addrs, err := g.opts.Resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, nil
	}
	return addrs, nil
}
