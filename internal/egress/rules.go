package egress

import (
	"fmt"
	"regexp"

	"github.com/drover-go/drover/errtypes"
)

// ProxyRule is one of the three variants of a proxy.
type ProxyRule struct {
	// Type is managed (or browserbase), external or none.
	Type string
	// DomainPattern is a regular expression (RE2) on the host name, without
	// regard to case. Default every host.
	DomainPattern string
	// Server, Username and Password belong to the external variant.
	Server, Username, Password string
	// Place belongs to the managed variant: where the proxy has to lead out.
	// Default anywhere.
	Place Place
}

// Limits of rules.
const (
	maxRules   = 100
	maxPattern = 1000
)

// Routes reads the rules of a caller, in their order. Managed ones get the proxy
// of the pool whose turn it is, of those at the place that is asked for, the same
// for all with that place as long as it can be reached, then the next. Error kind: Invalid, about a
// field below the one that is named, such as "proxies[0].server"; also for a
// proxy at an address that the gate refuses.
func (g *Gate) Routes(pool *Pool, rules []ProxyRule, field string) ([]Route, error) {
	if len(rules) > maxRules {
		return nil, errtypes.Field(field, "must be at most %d rules", maxRules)
	}
	managed := seats{pool: pool, taken: map[Place]*seat{}}
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

// seats are those of one session, one for each place that it asks for.
type seats struct {
	pool  *Pool
	taken map[Place]*seat
}

// take returns the seat at a place; nil where the pool has none.
func (s seats) take(asked Place) *seat {
	key := asked.folded()
	if s.taken[key] == nil {
		s.taken[key] = s.pool.seat(asked)
	}
	return s.taken[key]
}

func (g *Gate) route(managed seats, rule ProxyRule, field string) (r Route, err error) {
	if rule.Type != "external" && rule.Server+rule.Username+rule.Password != "" {
		return r, errtypes.Field(field, "must have no server, username and password: they belong to the type external")
	}
	if r.Domain, err = compileDomain(rule.DomainPattern, field+".domainPattern"); err != nil {
		return r, err
	}
	switch rule.Type {
	case "none":
	case "managed", "browserbase":
		if managed.pool.Len() == 0 {
			return r, errtypes.Field(field+".type", "must not be %s: no proxy is configured", rule.Type)
		}
		if r.seat = managed.take(rule.Place); r.seat == nil {
			return r, errtypes.Field(field+".geolocation", "must be where a proxy is: none is in %s", rule.Place)
		}
		r.Upstream = r.seat.proxy()
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
