package settingsjson

import (
	"encoding/json"

	"github.com/drover-go/drover/runs/sessions"
)

// Encode writes settings as [Decode] reads them, passwords of proxies included;
// nil for the defaults.
func Encode(s sessions.Settings) (json.RawMessage, error) {
	out := object{}
	out.put("browserSettings", encodeBrowser(s))
	out.put("proxies", encodeProxies(s.Proxies))
	out.put("extensionId", s.ExtensionID)
	certificates := object{}
	certificates.put("caCertificates", s.CACertificates)
	certificates.put("clientCertificates", s.ClientCertificates)
	out.put("proxySettings", certificates)
	if len(out) == 0 {
		return nil, nil
	}
	return json.Marshal(out)
}

// object is one that leaves out what is empty.
type object map[string]any

func (o object) put(name string, value any) {
	switch v := value.(type) {
	case object:
		if len(v) == 0 {
			return
		}
	case string:
		if v == "" {
			return
		}
	case bool:
		if !v {
			return
		}
	case int:
		if v == 0 {
			return
		}
	case []string:
		if len(v) == 0 {
			return
		}
	case nil:
		return
	}
	o[name] = value
}

func encodeBrowser(s sessions.Settings) object {
	out, viewport, context := object{}, object{}, object{}
	viewport.put("width", s.Viewport.Width)
	viewport.put("height", s.Viewport.Height)
	out.put("viewport", viewport)
	if s.Context != nil {
		context.put("id", s.Context.ID)
		context.put("persist", s.Context.Persist)
	}
	out.put("context", context)
	for name, on := range map[string]bool{
		"blockAds": s.BlockAds, "solveCaptchas": s.SolveCaptchas, "verified": s.Verified, "ownProcess": s.OwnProcess,
		"ignoreCertificateErrors": s.IgnoreCertificates,
	} {
		out.put(name, on)
	}
	for name, off := range map[string]bool{"recordSession": s.NoRecording, "logSession": s.NoLog} {
		if off {
			out[name] = false
		}
	}
	out.put("allowedDomains", s.AllowedDomains)
	return out
}

func encodeProxies(p sessions.Proxies) any {
	if p.Managed {
		return true
	}
	var rules []object
	for _, r := range p.Rules {
		rule, place := object{"type": r.Type}, object{}
		rule.put("domainPattern", r.DomainPattern)
		rule.put("server", r.Server)
		rule.put("username", r.Username)
		rule.put("password", r.Password)
		if r.Geolocation != nil {
			place.put("country", r.Geolocation.Country)
			place.put("state", r.Geolocation.State)
			place.put("city", r.Geolocation.City)
		}
		rule.put("geolocation", place)
		rules = append(rules, rule)
	}
	if rules == nil {
		return nil
	}
	return rules
}
