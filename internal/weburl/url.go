// Package weburl reads URLs as browsers do: the parser of the WHATWG URL
// standard, for every scheme but file.
//
// It says what a URL is, not whether one may follow it: that is for
// internal/egress, which stands on it.
package weburl

import (
	"cmp"
	"errors"
	"net"
	"net/url"
	"strings"
)

// URL is a URL taken apart; every part is in the form that the standard writes.
type URL struct {
	// Scheme is in lower case, without a colon.
	Scheme string
	// Username and Password are percent-encoded.
	Username, Password string
	// Host is a name in ASCII, an IPv4 address in four decimals, an IPv6
	// address in brackets, or, where the scheme is not special, anything else.
	Host string
	// Port is empty where it is the scheme's own.
	Port string
	// Path begins with a slash, unless it is empty or opaque.
	Path string
	// Query and Fragment are without their "?" and "#".
	Query, Fragment string
	// HasHost, HasQuery and HasFragment tell what is empty from what is absent.
	HasHost, HasQuery, HasFragment bool
	// Opaque says that the path is no path, as in "mailto:a@b.example".
	Opaque bool
}

// String writes the URL.
func (u *URL) String() string {
	var b strings.Builder
	b.WriteString(u.Scheme + ":")
	if u.HasHost {
		b.WriteString("//")
		u.writeUser(&b)
		b.WriteString(u.HostPort())
	} else if !u.Opaque && strings.HasPrefix(u.Path, "//") {
		b.WriteString("/.") // or the path would be read as a host
	}
	b.WriteString(u.Path)
	if u.HasQuery {
		b.WriteString("?" + u.Query)
	}
	if u.HasFragment {
		b.WriteString("#" + u.Fragment)
	}
	return b.String()
}

func (u *URL) writeUser(b *strings.Builder) {
	if u.Username == "" && u.Password == "" {
		return
	}
	b.WriteString(u.Username)
	if u.Password != "" {
		b.WriteString(":" + u.Password)
	}
	b.WriteByte('@')
}

// HostPort is the host with the port where that is not the scheme's own.
func (u *URL) HostPort() string {
	if u.Port == "" {
		return u.Host
	}
	return u.Host + ":" + u.Port
}

// ErrRelative says that a URL without scheme was read without a base.
var ErrRelative = errors.New("must be absolute: it lacks a scheme")

var errFile = errors.New("is of a file")

// SchemeOf returns the scheme that raw names, in lower case; false if it names
// none, and is an error or relative to a base.
func SchemeOf(raw string) (string, bool) {
	scheme, _, ok := cutScheme(clean(raw))
	return scheme, ok
}

// Parse reads raw, against base if it is not nil. Errors are words that follow
// the name of what was read: "has no host".
func Parse(raw string, base *URL) (*URL, error) {
	input := clean(raw)
	scheme, rest, ok := cutScheme(input)
	switch {
	case !ok && base == nil:
		return nil, ErrRelative
	case !ok:
		return parseRelative(input, base)
	case scheme == "file":
		return nil, errFile
	case !isSpecial(scheme):
		return parseOther(scheme, rest)
	case base != nil && scheme == base.Scheme && !strings.HasPrefix(rest, "//"):
		return parseRelative(rest, base)
	}
	return parseAuthority(scheme, strings.TrimLeft(rest, `/\`))
}

// IsBlank reports whether nothing of raw counts.
func IsBlank(raw string) bool { return clean(raw) == "" }

// c0AndSpace are the characters that are dropped at both ends.
const c0AndSpace = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

var tabsAndBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// clean drops what counts nowhere in a URL.
func clean(raw string) string { return tabsAndBreaks.Replace(strings.Trim(raw, c0AndSpace)) }

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

// ports are those of the schemes that the standard calls special.
var ports = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

// Target is the "host:port" that a URL leads to, in lower case: the port is that of
// its scheme where it names none.
func Target(u *url.URL) string {
	return strings.ToLower(net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), ports[u.Scheme])))
}

func isSpecial(scheme string) bool { return ports[scheme] != "" }

// parseOther reads what follows a scheme that is not special: a host, a path,
// or something opaque.
func parseOther(scheme, rest string) (*URL, error) {
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		return parseAuthority(scheme, after)
	}
	u := &URL{Scheme: scheme}
	path := u.cutPath(rest)
	if u.Opaque = !strings.HasPrefix(path, "/"); u.Opaque {
		u.Path = Escape(path, "")
		if (u.HasQuery || u.HasFragment) && strings.HasSuffix(u.Path, " ") {
			u.Path = u.Path[:len(u.Path)-1] + "%20"
		}
		return u, nil
	}
	u.Path = normalizePath(path, false)
	return u, nil
}

// parseRelative reads what stands in for a URL on a page of base.
func parseRelative(s string, base *URL) (*URL, error) {
	if base.Opaque {
		return parseOnOpaque(s, base)
	}
	special := isSpecial(base.Scheme)
	slashes := leadingSlashes(s, special)
	switch {
	case slashes >= 2 && special:
		return parseAuthority(base.Scheme, s[slashes:])
	case slashes >= 2:
		return parseAuthority(base.Scheme, s[2:])
	}
	u := *base
	u.Query, u.HasQuery = "", false
	path := u.cutPath(s)
	switch {
	case path != "" && slashes == 0:
		path = base.Path[:strings.LastIndexByte(base.Path, '/')+1] + path
		fallthrough
	case path != "":
		u.Path = normalizePath(path, special)
	case !u.HasQuery:
		u.Query, u.HasQuery = base.Query, base.HasQuery
	}
	return &u, nil
}

func leadingSlashes(s string, special bool) int {
	if special {
		return len(s) - len(strings.TrimLeft(s, `/\`))
	}
	return len(s) - len(strings.TrimLeft(s, "/"))
}

// parseOnOpaque reads what can stand on a page whose address has no path: a
// fragment.
func parseOnOpaque(s string, base *URL) (*URL, error) {
	if !strings.HasPrefix(s, "#") {
		return nil, ErrRelative
	}
	u := *base
	u.Fragment, u.HasFragment = Escape(s[1:], fragmentEscapes), true
	return &u, nil
}

// parseAuthority reads what follows the slashes of an absolute URL.
func parseAuthority(scheme, s string) (*URL, error) {
	special := isSpecial(scheme)
	ends := "/?#"
	if special {
		ends = `/\?#`
	}
	end := strings.IndexAny(s, ends)
	if end < 0 {
		end = len(s)
	}
	u := &URL{Scheme: scheme, HasHost: true}
	if err := u.parseHost(s[:end]); err != nil {
		return nil, err
	}
	if path := u.cutPath(s[end:]); path != "" || special {
		u.Path = normalizePath(path, special)
	}
	return u, nil
}

// parseHost reads "user:password@host:port".
func (u *URL) parseHost(s string) (err error) {
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		user, password, _ := strings.Cut(s[:at], ":")
		u.Username, u.Password = Escape(user, userEscapes), Escape(password, userEscapes)
		if s = s[at+1:]; s == "" {
			return errNoHost
		}
	}
	host, port, hasPort := cutPort(s)
	if u.Port, err = parsePort(u.Scheme, port); err != nil {
		return err
	}
	switch {
	case isSpecial(u.Scheme):
		u.Host, err = parseHost(host)
	case host == "" && hasPort:
		err = errNoHost
	default:
		u.Host, err = parseOpaqueHost(host)
	}
	return err
}

// cutPath splits what follows the host off its query and fragment, which it
// keeps.
func (u *URL) cutPath(s string) (path string) {
	s, fragment, hasFragment := strings.Cut(s, "#")
	path, query, hasQuery := strings.Cut(s, "?")
	u.Fragment, u.HasFragment = Escape(fragment, fragmentEscapes), hasFragment
	u.Query, u.HasQuery = Escape(query, otherQueryEscapes), hasQuery
	if isSpecial(u.Scheme) {
		u.Query = Escape(u.Query, "'")
	}
	return path
}
