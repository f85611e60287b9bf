package sessions

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// policy is what the settings of a session ask of its way out. It is the one
// place where proxies become routes. Error kind Invalid, about the field.
func (c Config) policy(s Settings) (egress.Policy, error) {
	p := egress.Policy{AllowedDomains: s.AllowedDomains, BlockAds: s.BlockAds}
	if s.Proxies.IsZero() {
		return p, nil
	}
	if field, uses := s.Proxies.usesManaged(); uses && c.Proxies.Len() == 0 {
		return p, errtypes.Field(field, "asks for the proxies of this host, and none is configured")
	}
	if c.Gate == nil {
		return p, errtypes.Field("proxies", "cannot be used: the sessions of this host have a way out of their own")
	}
	var err error
	p.Routes, err = c.Gate.Routes(c.Proxies, s.Proxies.rules(), "proxies")
	return p, err
}

// rules are the proxies as the gate takes them.
func (p Proxies) rules() (all []egress.ProxyRule) {
	if p.Managed {
		return []egress.ProxyRule{{Type: "managed"}}
	}
	for _, r := range p.Rules {
		all = append(all, egress.ProxyRule{
			Type: r.Type, DomainPattern: r.DomainPattern, Server: r.Server, Username: r.Username, Password: r.Password,
		})
	}
	return all
}
