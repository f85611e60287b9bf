package sessions

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// Proxies are either all or none of the managed ones, or a list of rules.
type Proxies struct {
	// Managed routes everything through the proxies that the host configures.
	Managed bool `json:"managed,omitempty"`
	// Rules are tried in order; what none matches goes direct (DECISIONS 18).
	Rules []ProxyRule `json:"rules,omitempty"`
}

// ProxyRule is one of the three variants of a proxy.
type ProxyRule struct {
	// Type is managed (or browserbase), external or none.
	Type string `json:"type"`
	// DomainPattern is a regular expression (RE2) on the host name. Default
	// every host.
	DomainPattern string `json:"domainPattern,omitempty"`
	// Server belongs to the external variant: an http, https or socks5 URL.
	Server string `json:"server,omitempty"`
	// Username and Password belong to the external variant. They are never
	// stored.
	Username string `json:"-"`
	Password string `json:"-"`
	// Geolocation belongs to the managed variant: where the proxy has to lead out,
	// which must be a place that the host names of one. Default anywhere.
	Geolocation *Geolocation `json:"geolocation,omitempty"`
}

// Geolocation is a place; letters' cases do not matter.
type Geolocation struct {
	// Country is required: an ISO 3166-1 code of two letters.
	Country string `json:"country"`
	// State and City are names. Default any.
	State string `json:"state,omitempty"`
	City  string `json:"city,omitempty"`
}

// place is where a rule asks for a proxy; the zero one is anywhere.
func (r ProxyRule) place() egress.Place {
	if r.Geolocation == nil {
		return egress.Place{}
	}
	return egress.Place(*r.Geolocation)
}

// IsZero reports whether no proxy is asked for.
func (p Proxies) IsZero() bool { return !p.Managed && len(p.Rules) == 0 }

// Secret reports whether there are credentials, which are never stored.
func (p Proxies) Secret() bool {
	for _, r := range p.Rules {
		if u, err := url.Parse(r.Server); r.Username != "" || r.Password != "" || err == nil && u.User != nil {
			return true
		}
	}
	return false
}

// usesManaged reports whether the host's own proxies are asked for, and where.
func (p Proxies) usesManaged() (field string, uses bool) {
	if p.Managed {
		return "proxies", true
	}
	for i, r := range p.Rules {
		if r.managed() {
			return fmt.Sprintf("proxies[%d]", i), true
		}
	}
	return "", false
}

func (r ProxyRule) managed() bool { return r.Type == "managed" || r.Type == "browserbase" }

const (
	maxRules   = 100
	maxPattern = 1000
	maxServer  = 2000
)

func (p Proxies) check() error {
	if len(p.Rules) > maxRules {
		return errtypes.Field("proxies", "must be at most %d rules", maxRules)
	}
	for i, r := range p.Rules {
		if err := r.check(fmt.Sprintf("proxies[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

func (r ProxyRule) check(field string) error {
	if len(r.DomainPattern) > maxPattern {
		return errtypes.Field(field+".domainPattern", "must be at most %d bytes", maxPattern)
	}
	if _, err := regexp.Compile(r.DomainPattern); err != nil {
		return errtypes.Field(field+".domainPattern", "is not a regular expression (RE2)").WithCause(err)
	}
	switch {
	case r.Type == "external":
		return cmp.Or(r.checkServer(field), r.checkPlace(field))
	case !r.managed() && r.Type != "none":
		return errtypes.Field(field+".type", "must be one of managed, browserbase, external, none")
	case r.Server != "" || r.Username != "" || r.Password != "":
		return errtypes.Field(field, "must have server, username and password only with the type external")
	}
	return r.checkPlace(field)
}

func (r ProxyRule) checkPlace(field string) error {
	if r.Geolocation == nil {
		return nil
	}
	if !r.managed() {
		return errtypes.Field(field, "must have a geolocation only with the type managed or browserbase")
	}
	if name, err := r.place().Check(); err != nil {
		return errtypes.Field(field+".geolocation."+name, "%s", err)
	}
	return nil
}

// checkServer does not repeat the URL, which may have a password.
func (r ProxyRule) checkServer(field string) error {
	if r.Server == "" {
		return errtypes.Field(field+".server", "is required")
	}
	if _, err := r.url(); err != nil || len(r.Server) > maxServer {
		return errtypes.Field(field+".server", "must be a URL such as http://proxy.example:3128; http, https and socks5 are known")
	}
	return nil
}

// url is the upstream with its credentials. A server without a scheme, as
// "host:port", is an HTTP proxy.
func (r ProxyRule) url() (*url.URL, error) {
	raw := r.Server
	if !schemeForm.MatchString(raw) {
		raw = "http://" + raw
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, err
	case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5":
		return nil, fmt.Errorf("unknown scheme %q", u.Scheme)
	case u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("not just a host and a port")
	}
	if r.Username != "" || r.Password != "" {
		u.User = url.UserPassword(r.Username, r.Password)
	}
	return u, nil
}

var schemeForm = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*://`)

// Stored is what may be written down: no credentials.
func (p Proxies) Stored() Proxies {
	clean := Proxies{Managed: p.Managed}
	for _, r := range p.Rules {
		kept := ProxyRule{Type: r.Type, DomainPattern: r.DomainPattern, Geolocation: r.Geolocation}
		if r.Type == "external" {
			if u, err := r.url(); err == nil {
				u.User = nil
				kept.Server = u.String()
			}
		}
		clean.Rules = append(clean.Rules, kept)
	}
	return clean
}
