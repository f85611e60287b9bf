package settingsjson

import (
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
)

// Proxies wants true or false, or an array of the three variants. The objects
// are open.
func Proxies(dst *sessions.Proxies) strictjson.Value {
	return strictjson.Either(strictjson.Bool(&dst.Managed), rules(&dst.Rules))
}

func rules(dst *[]sessions.ProxyRule) strictjson.Value {
	return strictjson.Array(func(_ int, read func(strictjson.Value) error) error {
		var p sessions.ProxyRule
		err := read(strictjson.Open(strictjson.Fields{
			"type":          strictjson.OneOf(&p.Type, "managed", "browserbase", "external", "none"),
			"domainPattern": strictjson.String(&p.DomainPattern),
			"server":        strictjson.String(&p.Server),
			"username":      strictjson.String(&p.Username),
			"password":      strictjson.String(&p.Password),
			"geolocation":   geolocation(&p.Geolocation),
		}, "type"))
		*dst = append(*dst, p)
		return err
	})
}

func geolocation(dst **sessions.Geolocation) strictjson.Value {
	var g sessions.Geolocation
	return strictjson.Then(strictjson.Open(strictjson.Fields{
		"country": strictjson.String(&g.Country),
		"state":   strictjson.String(&g.State),
		"city":    strictjson.String(&g.City),
	}, "country"), func() { *dst = &g })
}
