package egress

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/weburl"
)

// URLOptions are the settings for reading URLs.
type URLOptions struct {
	// MaxLength is the length in bytes above which a URL is refused, as given
	// and as normalised. Default 8192.
	MaxLength int
}

// ParseURL reads raw with the default options; see [URLOptions.Parse].
func ParseURL(raw string) (*url.URL, error) { return URLOptions{}.Parse(raw) }

// ResolveReference reads ref with the default options; see [URLOptions.Resolve].
func ResolveReference(base *url.URL, ref string) (*url.URL, error) {
	return URLOptions{}.Resolve(base, ref)
}

// Parse reads an absolute http or https URL as browsers do (the WHATWG URL
// standard): outer spaces and every tab and line break are dropped, a
// backslash is a slash, the host is lower-cased, mapped by UTS 46 and turned
// into Punycode, and the forms of an IPv4 address that browsers know (127.1,
// 0x7f000001, full-width digits) become its four decimals.
//
// What comes back is the only form to check, dial and send: its String parses
// to itself, with net/url and here, and its Host is what net/http dials, sends
// and verifies. Where a browser would keep something that net/url cannot hold,
// a path's stray "%" or "|", it is percent-encoded.
//
// Refused, beyond what browsers refuse: user names and passwords, which end up
// in logs, and which make https://good.example@evil.example look like what it
// is not (an empty one, "http://@host/", is none); and hosts with characters that
// no name in the DNS has.
//
// Every error is an errtypes.Field "url".
func (o URLOptions) Parse(raw string) (*url.URL, error) {
	if weburl.IsBlank(raw) {
		return nil, errtypes.Field("url", "must not be empty")
	}
	if !utf8.ValidString(raw) {
		return nil, errtypes.Field("url", "must be valid UTF-8")
	}
	return o.read(raw, nil)
}

// Resolve reads ref, the Location of a redirect or a link of a page, against
// the URL it was found at. It is as lenient as browsers are; bytes that are not
// ASCII are taken as they come. An empty ref is the base without its fragment.
// Errors are those of [URLOptions.Parse].
func (o URLOptions) Resolve(base *url.URL, ref string) (*url.URL, error) {
	b, err := parse(base.String(), nil)
	if err != nil {
		return nil, errtypes.Field("url", "%s", err)
	}
	return o.read(weburl.EscapeNonASCII(ref), b)
}

func (o URLOptions) read(raw string, base *weburl.URL) (*url.URL, error) {
	limit := cmp.Or(o.MaxLength, 8192)
	if len(raw) > limit {
		return nil, errtypes.Field("url", "must be at most %d bytes long", limit)
	}
	r, err := parse(raw, base)
	if err != nil {
		return nil, errtypes.Field("url", "%s", err)
	}
	text := r.String()
	if len(text) > limit {
		return nil, errtypes.Field("url", "must be at most %d bytes long, once its characters are percent-encoded", limit)
	}
	u, err := url.Parse(text)
	if err != nil || u.String() != text || u.Host != r.HostPort() || u.User != nil {
		return nil, errtypes.Field("url", "cannot be read").WithCause(err)
	}
	return u, nil
}

var errRelative = errors.New("must be absolute: it lacks http:// or https://")

// parse reads what a connection may be made for: a browser's reading of raw,
// without what Drover refuses, in characters that net/url takes.
func parse(raw string, base *weburl.URL) (*weburl.URL, error) {
	if scheme, ok := weburl.SchemeOf(raw); ok && !isWeb(scheme) {
		return nil, fmt.Errorf("must begin with http:// or https://, not with %s", scheme+":")
	}
	u, err := weburl.Parse(raw, base)
	switch {
	case errors.Is(err, weburl.ErrRelative):
		return nil, errRelative
	case err != nil:
		return nil, err
	case !isWeb(u.Scheme):
		return nil, errRelative
	case u.Username != "" || u.Password != "":
		return nil, errors.New("must not contain a user name or a password")
	}
	if err := checkName(u.Host); err != nil {
		return nil, err
	}
	u.Path = weburl.Escape(weburl.FixPercent(u.Path), pathEscapes)
	u.Fragment = weburl.Escape(weburl.FixPercent(u.Fragment), fragmentEscapes)
	u.HasFragment = u.Fragment != ""
	return u, nil
}

// What net/url would percent-encode, beyond the standard's sets.
const (
	pathEscapes     = "|"
	fragmentEscapes = "#\\^{|}"
)

func isWeb(scheme string) bool { return scheme == "http" || scheme == "https" }

// checkName refuses what cannot be looked up: empty labels and characters that
// no name in the DNS has. The standard lets some of them stand, and then
// browsers do not find the host.
func checkName(name string) error {
	if strings.HasPrefix(name, "[") {
		return nil // an address
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(name, "."), ".") {
		if label == "" {
			return errors.New("has a host with an empty label")
		}
	}
	for _, c := range strings.ToLower(name) {
		if (c < 'a' || 'z' < c) && (c < '0' || '9' < c) && c != '-' && c != '_' && c != '.' {
			return fmt.Errorf("has a host with the character %q", c)
		}
	}
	return nil
}
