package egress

import (
	"crypto/x509"
	"net"
	"net/netip"
	"regexp"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/weburl"
)

// Policy says what one session, or one fetch, may reach and through what. The
// zero value is everything that the gate lets through, directly.
type Policy struct {
	// Routes are tried in order, the first that matches decides. Default none:
	// everything goes directly.
	Routes []Route
	// AllowedDomains are the only hosts that may be reached: "example.com"
	// means it and what is below it. Default all.
	AllowedDomains []string
	// BlockAds refuses hosts that are known for advertising and tracking.
	// Default false.
	BlockAds bool
	// TLS is what servers are trusted by and shown, beside what the system has.
	// Default nothing.
	TLS TLS
	// Inside answers tunnels to some targets, each a "host:port" in its final form,
	// in the place of their servers: what it returns speaks with the client until
	// it returns. It returns nil for all other targets. A client that begins with
	// TLS is shown a certificate made for the host; see [LeafKeyHash]. What goes
	// this way is not counted as traffic. Default nothing is answered.
	Inside func(target string) func(net.Conn)
}

// Route sends hosts through a proxy.
type Route struct {
	// Domain matches the host's name, in lower case, without a port and a final
	// dot. Default every host.
	Domain *regexp.Regexp
	// Upstream is the proxy. Default none: directly.
	Upstream *Upstream

	seat *seat // of a pool: Upstream is its first
}

// maxDomains bounds the list of allowed domains.
const maxDomains = 1000

// Validate refuses allowed domains that are none. Error kind: Invalid, about the
// field "allowedDomains".
func (p Policy) Validate() error {
	if len(p.AllowedDomains) > maxDomains {
		return errtypes.Field("allowedDomains", "must be at most %d", maxDomains)
	}
	for _, d := range p.AllowedDomains {
		if _, ok := readDomain(d); !ok {
			return errtypes.Field("allowedDomains", "must be names of hosts, like example.com; %.100q is none", d)
		}
	}
	return nil
}

// readDomain gives a domain the form that hosts have when they are compared.
func readDomain(d string) (string, bool) {
	host, port, err := weburl.HostPort(d)
	if err == nil {
		err = checkName(host)
	}
	return bareHost(host), err == nil && port == "" && !strings.HasSuffix(d, ":")
}

// bareHost is a host without brackets and final dot.
func bareHost(host string) string {
	return strings.TrimSuffix(strings.Trim(strings.ToLower(host), "[]"), ".")
}

// Allows reports whether a host is one of AllowedDomains, or there are none.
func (p Policy) Allows(host string) bool {
	r := rules{allowed: []string{}}
	for _, d := range p.AllowedDomains {
		if domain, ok := readDomain(d); ok {
			r.allowed = append(r.allowed, domain)
		}
	}
	return len(p.AllowedDomains) == 0 || r.allows(bareHost(host))
}

// rules are a policy ready for use.
type rules struct {
	routes  []Route
	allowed []string // nil: all
	ads     *hostList
	added   TLS
	tls     *material // nil: nothing is added
	inside  func(string) func(net.Conn)
}

// newRules reads a policy. What is no domain allows nothing, so a list of
// nothing else allows nothing at all.
func newRules(p Policy, ads *hostList, roots *x509.CertPool) *rules {
	r := &rules{routes: p.Routes, added: p.TLS, inside: p.Inside}
	if r.inside == nil {
		r.inside = func(string) func(net.Conn) { return nil }
	}
	if !p.TLS.IsZero() {
		r.tls = newMaterial(p.TLS, roots)
	}
	if p.BlockAds {
		r.ads = ads
	}
	if len(p.AllowedDomains) > 0 {
		r.allowed = []string{}
	}
	for _, d := range p.AllowedDomains {
		if domain, ok := readDomain(d); ok {
			r.allowed = append(r.allowed, domain)
		}
	}
	return r
}

// check returns a *BlockedError for a host that the policy refuses.
func (r *rules) check(host string) error {
	name := bareHost(host)
	if !r.allows(name) {
		return &BlockedError{Host: name, Reason: BlockedDomain}
	}
	if r.ads != nil && r.ads.has(name) {
		return &BlockedError{Host: name, Reason: BlockedAd}
	}
	return nil
}

func (r *rules) allows(name string) bool {
	if r.allowed == nil {
		return true
	}
	for _, d := range r.allowed {
		if name == d || isBelow(name, d) {
			return true
		}
	}
	return false
}

// isBelow reports whether the name is a subdomain; nothing is below an address.
func isBelow(name, domain string) bool {
	above, ok := strings.CutSuffix(name, domain)
	if !ok || !strings.HasSuffix(above, ".") {
		return false
	}
	_, err := netip.ParseAddr(domain)
	return err != nil
}

// hop returns what leads to a host.
func (r *rules) hop(host string) hop {
	name := bareHost(host)
	for _, route := range r.routes {
		if route.Domain == nil || route.Domain.MatchString(name) {
			return hop{route.proxy(), route.seat}
		}
	}
	return hop{}
}
