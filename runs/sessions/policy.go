package sessions

import (
	"fmt"

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
	if err := c.checkPlaces(s.Proxies); err != nil {
		return p, err
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

// checkPlaces refuses places where no proxy of the host is, and says where some
// are.
func (c Config) checkPlaces(p Proxies) error {
	for i, r := range p.Rules {
		if r.Geolocation == nil || c.Proxies.Has(r.place()) {
			continue
		}
		field, there := fmt.Sprintf("proxies[%d].geolocation", i), c.Proxies.Places()
		if len(there) == 0 {
			return errtypes.Field(field, "is not supported: the proxies of this host are in no place of the caller's choice")
		}
		return errtypes.Field(field, "is where no proxy of this host is; there are some in %s", joined(there[:min(len(there), maxPlaces)]))
	}
	return nil
}

// maxPlaces is how many places an error names.
const maxPlaces = 50

// rules are the proxies as the gate takes them.
func (p Proxies) rules() (all []egress.ProxyRule) {
	if p.Managed {
		return []egress.ProxyRule{{Type: "managed"}}
	}
	for _, r := range p.Rules {
		all = append(all, egress.ProxyRule{
			Type: r.Type, DomainPattern: r.DomainPattern, Server: r.Server, Username: r.Username, Password: r.Password, Place: r.place(),
		})
	}
	return all
}
