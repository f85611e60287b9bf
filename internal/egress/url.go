package egress

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
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
// is not; and hosts with characters that no name in the DNS has.
//
// Every error is an errtypes.Field "url".
func (o URLOptions) Parse(raw string) (*url.URL, error) {
	if strings.Trim(raw, c0AndSpace) == "" {
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
	return o.read(escapeNonASCII(ref), b)
}

func (o URLOptions) read(raw string, base *record) (*url.URL, error) {
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
	if err != nil || u.String() != text || u.Host != r.host || u.User != nil {
		return nil, errtypes.Field("url", "cannot be read").WithCause(err)
	}
	return u, nil
}

// record is a URL taken apart; every part is in its final form.
type record struct {
	scheme   string
	host     string // with the port where that is not the scheme's own
	path     string // begins with a slash
	query    string
	hasQuery bool
	fragment string
}

func (r *record) String() string {
	var b strings.Builder
	b.WriteString(r.scheme + "://" + r.host + r.path)
	if r.hasQuery {
		b.WriteString("?" + r.query)
	}
	if r.fragment != "" {
		b.WriteString("#" + r.fragment)
	}
	return b.String()
}

// c0AndSpace are the characters that are dropped at both ends.
const c0AndSpace = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

var tabsAndBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

var errRelative = errors.New("must be absolute: it lacks http:// or https://")

// parse is the basic URL parser of the standard for the schemes http and
// https.
func parse(raw string, base *record) (*record, error) {
	input := tabsAndBreaks.Replace(strings.Trim(raw, c0AndSpace))
	scheme, rest, ok := cutScheme(input)
	switch {
	case ok && scheme != "http" && scheme != "https":
		return nil, fmt.Errorf("must begin with http:// or https://, not with %s", scheme+":")
	case ok && base != nil && scheme == base.scheme && !strings.HasPrefix(rest, "//"):
		return parseRelative(rest, base)
	case ok:
		return parseAuthority(scheme, strings.TrimLeft(rest, `/\`))
	case base != nil:
		return parseRelative(input, base)
	}
	return nil, errRelative
}

// cutScheme splits "HTTP:rest" into "http" and "rest".
func cutScheme(s string) (scheme, rest string, ok bool) {
	end := strings.IndexFunc(s, func(c rune) bool {
		return !isAlpha(c) && !isDigit(c) && c != '+' && c != '-' && c != '.'
	})
	if end <= 0 || s[end] != ':' || !isAlpha(rune(s[0])) {
		return "", s, false
	}
	return strings.ToLower(s[:end]), s[end+1:], true
}

func isAlpha(c rune) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' && c < utf8.RuneSelf }
func isDigit(c rune) bool { return '0' <= c && c <= '9' }

// parseRelative reads what stands in for a URL on a page of base.
func parseRelative(s string, base *record) (*record, error) {
	slashes := len(s) - len(strings.TrimLeft(s, `/\`))
	if slashes >= 2 {
		return parseAuthority(base.scheme, s[slashes:])
	}
	r := &record{scheme: base.scheme, host: base.host}
	path, query, hasQuery, fragment := cutPath(s)
	r.query, r.hasQuery, r.fragment = query, hasQuery, fragment
	switch {
	case path != "" && slashes == 0:
		path = base.path[:strings.LastIndexByte(base.path, '/')+1] + path
		fallthrough
	case path != "":
		r.path = normalizePath(path)
	default:
		r.path = base.path
		if !hasQuery {
			r.query, r.hasQuery = base.query, base.hasQuery
		}
	}
	return r, nil
}

// parseAuthority reads what follows the slashes of an absolute URL.
func parseAuthority(scheme, s string) (*record, error) {
	end := strings.IndexAny(s, `/\?#`)
	if end < 0 {
		end = len(s)
	}
	host, err := parseHostPort(scheme, s[:end])
	if err != nil {
		return nil, err
	}
	path, query, hasQuery, fragment := cutPath(s[end:])
	return &record{
		scheme: scheme, host: host, path: normalizePath(path),
		query: query, hasQuery: hasQuery, fragment: fragment,
	}, nil
}

// cutPath splits what follows the host. Query and fragment come back in their
// final form, the path does not.
func cutPath(s string) (path, query string, hasQuery bool, fragment string) {
	s, fragment, _ = strings.Cut(s, "#")
	path, query, hasQuery = strings.Cut(s, "?")
	return path, escape(query, queryEscapes), hasQuery, escape(fixPercent(fragment), fragmentEscapes)
}
