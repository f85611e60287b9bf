package egress

import (
	"fmt"
	"regexp"
	"sync/atomic"

	"github.com/drover-go/drover/errtypes"
)

// Pool are the proxies that the host has configured, used in turn. A nil Pool
// is an empty one. It is safe for concurrent use.
type Pool struct {
	upstreams []*Upstream
	next      atomic.Uint64
}

// NewPool reads the URLs of proxies; see [ParseUpstream]. Error kind: Invalid,
// about the field "Options.Proxies[i]", which never quotes a URL.
func NewPool(urls []string) (*Pool, error) {
	p := &Pool{}
	for i, raw := range urls {
		u, err := parseUpstream(raw)
		if err != nil {
			return nil, errtypes.Field(fmt.Sprintf("Options.Proxies[%d]", i), "%s", err)
		}
		u = u.OfHost()
		p.upstreams = append(p.upstreams, &u)
	}
	return p, nil
}

// Len returns how many proxies there are.
func (p *Pool) Len() int {
	if p == nil {
		return 0
	}
	return len(p.upstreams)
}

// All returns the proxies.
func (p *Pool) All() []*Upstream {
	if p == nil {
		return nil
	}
	return p.upstreams
}

// Turn returns the number of the proxy whose turn it is, for who keeps
// something for each of them. The pool must not be empty.
func (p *Pool) Turn() int { return int((p.next.Add(1) - 1) % uint64(len(p.upstreams))) }

// Next returns the proxy whose turn it is; nil for an empty pool.
func (p *Pool) Next() *Upstream {
	if p.Len() == 0 {
		return nil
	}
	return p.upstreams[p.Turn()]
}

// ProxyRule is one of the three variants of a proxy.
type ProxyRule struct {
	// Type is managed (or browserbase), external or none.
	Type string
	// DomainPattern is a regular expression (RE2) on the host name, without
	// regard to case. Default every host.
	DomainPattern string
	// Server, Username and Password belong to the external variant.
	Server, Username, Password string
}

// Limits of rules.
const (
	maxRules   = 100
	maxPattern = 1000
)

// Routes reads the rules of a caller, in their order. Managed ones get the proxy
// of the pool whose turn it is, the same for all. Error kind: Invalid, about a
// field below the one that is named, such as "proxies[0].server"; also for a
// proxy at an address that the gate refuses.
func (g *Gate) Routes(pool *Pool, rules []ProxyRule, field string) ([]Route, error) {
	if len(rules) > maxRules {
		return nil, errtypes.Field(field, "must be at most %d rules", maxRules)
	}
	managed := pool.Next()
	routes := make([]Route, 0, len(rules))
	for i, rule := range rules {
		route, err := g.route(managed, rule, fmt.Sprintf("%s[%d]", field, i))
		if err != nil {
			return nil, err
		}
		routes = append(routes, route)
	}
	return routes, nil
}

func (g *Gate) route(managed *Upstream, rule ProxyRule, field string) (r Route, err error) {
	if rule.Type != "external" && rule.Server+rule.Username+rule.Password != "" {
		return r, errtypes.Field(field, "must have no server, username and password: they belong to the type external")
	}
	if r.Domain, err = compileDomain(rule.DomainPattern, field+".domainPattern"); err != nil {
		return r, err
	}
	switch rule.Type {
	case "none":
	case "managed", "browserbase":
		if r.Upstream = managed; managed == nil {
			return r, errtypes.Field(field+".type", "must not be %s: no proxy is configured", rule.Type)
		}
	case "external":
		r.Upstream, err = g.external(rule, field)
	default:
		err = errtypes.Field(field+".type", "must be managed, browserbase, external or none")
	}
	return r, err
}

func compileDomain(pattern, field string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, nil
	}
	if len(pattern) > maxPattern {
		return nil, errtypes.Field(field, "must be at most %d bytes", maxPattern)
	}
	re, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return nil, errtypes.Field(field, "must be a regular expression (RE2)").WithCause(err)
	}
	return re, nil
}

// external reads a proxy of the caller. Whether its name leads to an address
// that is free shows when it is connected to; an address is checked at once.
func (g *Gate) external(rule ProxyRule, field string) (*Upstream, error) {
	u, err := parseUpstream(rule.Server)
	if err != nil {
		return nil, errtypes.Field(field+".server", "%s", err)
	}
	if rule.Username != "" || rule.Password != "" {
		l := login{rule.Username, rule.Password}
		if name, err := u.kind.checkLogin(l); err != nil {
			return nil, errtypes.Field(field+"."+name, "%s", err)
		}
		u.login = l.hidden()
	}
	if err := g.checkUpstream(&u); err != nil {
		return nil, errtypes.Field(field+".server", "cannot be used: %s", errtypes.Public(err).Message).WithCause(err)
	}
	return &u, nil
}
