package egress

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/telemetry"
)

// Options are the settings of a gate. The zero value opens nothing but the
// internet.
type Options struct {
	// AllowPrefixes are networks that may be reached although their addresses
	// are special. The address of a cloud's metadata service is opened only by
	// a prefix of full length (/32, /128). Default none.
	AllowPrefixes []netip.Prefix
	// AllowPorts are ports that may be reached although browsers block them.
	// Default none.
	AllowPorts []uint16
	// NAT64 are the prefixes of the host's network that carry IPv4 (RFC 6052),
	// usually [WellKnownNAT64]. An address in one of them is judged by the
	// IPv4 address it carries. A network whose translator uses a prefix of its
	// own must name it here, else that prefix counts as internet. Default
	// none: addresses in the well-known prefixes are refused.
	NAT64 []netip.Prefix
	// Resolver looks names up. Default a net.Resolver that prefers the Go
	// resolver, which does not read "127.1" or "0x7f000001" as addresses.
	Resolver Resolver
	// ResolveTimeout bounds a look-up. Default 10 s.
	ResolveTimeout time.Duration
	// ConnectTimeout bounds connecting, over all addresses of a name. Default 10 s.
	ConnectTimeout time.Duration
	// FallbackDelay is how long one address may stay silent before the next is
	// tried beside it (RFC 8305). Default 250 ms.
	FallbackDelay time.Duration
	// MaxAddresses is how many addresses of a name are tried. Default 8.
	MaxAddresses int
	// UpstreamTimeout bounds what a proxy behind the gate is waited for, until
	// it is connected to its target. Default 20 s.
	UpstreamTimeout time.Duration
	// RemoteResolveTimeout bounds the look-up by which a name that a proxy will
	// look up is checked here; a name that is not found by then passes.
	// Default 2 s.
	RemoteResolveTimeout time.Duration
	// RefuseUnknownNames keeps names that are not found here, or not in time, from
	// proxies. Whoever runs a name's DNS can keep it from this machine and lead a
	// proxy with it into the proxy's own network, so this is for proxies that
	// stand where there is something to protect and do not do so themselves.
	// Default false: such names pass, as they must where only the proxy has DNS.
	RefuseUnknownNames bool
	// Roots are the authorities that servers are verified by. Default the
	// system's.
	Roots *x509.CertPool
	// UpstreamRoots are the authorities that https proxies are verified by.
	// Default the system's.
	UpstreamRoots *x509.CertPool
	// BlockHosts are refused where a policy blocks advertisements, besides those
	// that Drover knows: "example.com" is it and what is below it, "adserver.*"
	// is every host with that first label. Default none.
	BlockHosts []string
	// BlockHostsOnly leaves out the hosts that Drover knows. Default false.
	BlockHostsOnly bool
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
	// Logger gets a line for each refusal. Default discards.
	Logger *slog.Logger
	// Telemetry counts refusals and connections. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
}

// Resolver looks up the addresses of a name. *net.Resolver is one.
type Resolver interface {
	// LookupNetIP returns the addresses of host; network is "ip", "ip4" or "ip6".
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

func (o Options) withDefaults() Options {
	if o.Resolver == nil {
		o.Resolver = &net.Resolver{PreferGo: true}
	}
	o.ResolveTimeout = cmp.Or(o.ResolveTimeout, 10*time.Second)
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 10*time.Second)
	o.FallbackDelay = cmp.Or(o.FallbackDelay, 250*time.Millisecond)
	o.MaxAddresses = cmp.Or(o.MaxAddresses, 8)
	o.UpstreamTimeout = cmp.Or(o.UpstreamTimeout, 20*time.Second)
	o.RemoteResolveTimeout = cmp.Or(o.RemoteResolveTimeout, 2*time.Second)
	o.Clock = cmp.Or(o.Clock, clock.System())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// Gate connects to what is free to be connected to. It is safe for concurrent
// use and holds nothing that must be closed.
type Gate struct {
	opts Options
	own  ownAddrs
	ads  *hostList

	metrics metrics
}

// New returns a gate. It fails on a prefix, or an entry of BlockHosts, that is
// not valid.
func New(o Options) (*Gate, error) {
	o = o.withDefaults()
	allow := make([]netip.Prefix, 0, len(o.AllowPrefixes))
	for _, p := range o.AllowPrefixes {
		if !p.IsValid() {
			return nil, fmt.Errorf("egress: AllowPrefixes: %s is no valid prefix", p)
		}
		allow = append(allow, unmapPrefix(p))
	}
	for _, p := range o.NAT64 {
		if err := checkNAT64Prefix(p); err != nil {
			return nil, fmt.Errorf("egress: %w", err)
		}
	}
	o.AllowPrefixes = allow
	ads, err := newAds(o)
	if err != nil {
		return nil, err
	}
	return &Gate{opts: o, ads: ads, own: ownAddrs{clock: o.Clock, list: net.InterfaceAddrs}, metrics: newMetrics(o.Telemetry)}, nil
}

// unmapPrefix turns ::ffff:10.0.0.0/104 into 10.0.0.0/8, because addresses are
// compared unmapped.
func unmapPrefix(p netip.Prefix) netip.Prefix {
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96).Masked()
	}
	return p.Masked()
}

// CheckAddr returns nil for an address that may be connected to, else a
// *RefusedError.
func (g *Gate) CheckAddr(addr netip.Addr) error {
	if class := g.refuses(addr); class != "" {
		return &RefusedError{Host: addr.String(), Addr: addr, Class: class}
	}
	return nil
}

// CheckPort returns nil for a port that may be connected to, else a
// *RefusedError.
func (g *Gate) CheckPort(host string, port uint16) error {
	if badPort(port) && !slices.Contains(g.opts.AllowPorts, port) {
		return &RefusedError{Host: host, Port: port, Class: ClassPort}
	}
	return nil
}

// refuses returns the class for which addr is refused, "" for none.
func (g *Gate) refuses(addr netip.Addr) Class {
	switch {
	case !addr.IsValid():
		return ClassInvalid
	case addr.Zone() != "":
		return ClassZone
	}
	addr = addr.Unmap()
	for _, p := range g.opts.NAT64 {
		if p.Contains(addr) {
			return g.refuses(nat64(addr, p))
		}
	}
	class := classify(addr)
	if class == "" && g.own.contain(addr) {
		class = ClassOwn
	}
	if class != "" && g.opens(addr, class) {
		return ""
	}
	return class
}

// opens reports whether the host has opened the special address.
func (g *Gate) opens(addr netip.Addr, class Class) bool {
	for _, p := range g.opts.AllowPrefixes {
		if p.Contains(addr) && (class != ClassMetadata || p.IsSingleIP()) {
			return true
		}
	}
	return false
}
