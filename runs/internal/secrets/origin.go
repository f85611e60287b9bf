package secrets

import (
	"errors"
	"fmt"
	"strings"

	"github.com/drover-go/drover/internal/weburl"
)

// Origin is where the value of a variable may go: scheme, host and port, or all
// hosts below one.
type Origin struct {
	scheme, host, port string // as weburl writes them
	below              bool
}

var errOrigin = errors.New("must be an origin like https://example.com, https://example.com:8443 or https://*.example.com")

// ParseOrigin reads an origin: http or https, a host, perhaps a port. A host that
// begins with "*." stands for all hosts below it, not for itself.
func ParseOrigin(text string) (Origin, error) {
	rest := text
	o := Origin{}
	if i := strings.Index(text, "://*."); i >= 0 {
		o.below, rest = true, text[:i]+"://"+text[i+len("://*."):]
	}
	u, err := weburl.Parse(rest, nil)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https",
		strings.ContainsAny(text, " \t\r\n\\?#@"), u.Path != "" && u.Path != "/", !strings.Contains(text, "://"):
		return Origin{}, errOrigin
	case o.below && (strings.HasPrefix(u.Host, "[") || weburl.EndsInNumber(u.Host)):
		return Origin{}, errors.New("must not be a pattern below an address")
	case strings.Contains(u.Host, "*"):
		return Origin{}, errors.New(`must have "*." in front of the host only`)
	}
	o.scheme, o.host, o.port = u.Scheme, u.Host, u.Port
	return o, nil
}

// String writes the origin as browsers do.
func (o Origin) String() string {
	u := weburl.URL{Host: o.host, Port: o.port}
	if o.below {
		return o.scheme + "://*." + u.HostPort()
	}
	return o.scheme + "://" + u.HostPort()
}

// covers reports whether an origin, as a browser serialises it, is this one or
// below it. An opaque one ("null") is none.
func (o Origin) covers(origin string) bool {
	got, err := ParseOrigin(origin)
	if err != nil || got.below || got.scheme != o.scheme || got.port != o.port {
		return false
	}
	if o.below {
		return strings.HasSuffix(got.host, "."+o.host)
	}
	return got.host == o.host
}

// OriginError is a value that may not go where it was to go.
type OriginError struct {
	Name string
	// Origins are where it may go.
	Origins []Origin
}

func (e *OriginError) Error() string {
	all := make([]string, len(e.Origins))
	for i, o := range e.Origins {
		all[i] = o.String()
	}
	return fmt.Sprintf("%s may be used at %s only, which this is not; nothing was entered", Placeholder(e.Name), strings.Join(all, ", "))
}

// Allows returns an [OriginError] where a variable in the text may not go to a
// document, or an address, of the origin.
func (v *Vault) Allows(text, origin string) error {
	for _, name := range v.used(text) {
		if allowed := v.vars[name].Origins; len(allowed) > 0 && !covered(allowed, origin) {
			return &OriginError{Name: name, Origins: allowed}
		}
	}
	return nil
}

// Bound reports whether a variable in the text may go to some origins only.
func (v *Vault) Bound(text string) bool {
	for _, name := range v.used(text) {
		if len(v.vars[name].Origins) > 0 {
			return true
		}
	}
	return false
}

func covered(allowed []Origin, origin string) bool {
	for _, o := range allowed {
		if o.covers(origin) {
			return true
		}
	}
	return false
}
