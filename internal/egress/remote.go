package egress

import (
	"context"
	"net/netip"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/weburl"
)

// checkRemote checks a target that a proxy will connect to, and whose name it
// will look up: blocked ports, special addresses, and names that lead to one
// as seen from here. A name that is not known here is the proxy's to know, unless
// the host of Drover wants it otherwise.
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

var errUnknownName = errtypes.New(errtypes.BadGateway, "the host's name is not known here, and proxies are not asked for such names")

var errCannotPass = errtypes.New(errtypes.Invalid, "the host's name cannot be given to a proxy")

// loopbackNames are what names of this machine stand for. A proxy would reach
// its own machine by them.
var loopbackNames = []netip.Addr{netip.MustParseAddr("127.0.0.1")}

// metadataNames lead to the metadata service of a cloud's machines. A machine
// elsewhere does not know them, but that of a proxy may.
var metadataNames = map[string]bool{
	"metadata.google.internal": true, "metadata.goog": true, "metadata": true,
	"instance-data": true, "instance-data.ec2.internal": true, "metadata.tencentyun.com": true,
}

var metadataAddrs = []netip.Addr{netip.MustParseAddr("169.254.169.254")}

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
	if metadataNames[name] {
		return metadataAddrs, nil
	}
	if weburl.EndsInNumber(name) || len(name) > 253 || checkName(name) != nil {
		return nil, errCannotPass // a proxy might read it as an address
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.RemoteResolveTimeout)
	defer cancel()
	addrs, err := g.opts.Resolver.LookupNetIP(ctx, "ip", host)
	if err != nil && g.opts.RefuseUnknownNames {
		return nil, errUnknownName
	}
	if err != nil {
		return nil, nil
	}
	return addrs, nil
}
