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

// maxUpstreamURL is the length in bytes above which the URL of a proxy is
// refused.
const maxUpstreamURL = 2048

// upstreamPorts are the ports of proxies whose URL names none.
var upstreamPorts = map[upstreamKind]string{kindHTTP: "80", kindHTTPS: "443", kindSOCKS5: "1080"}

// ParseUpstream reads the URL of a proxy: "http://user:password@host:3128",
// "https://…" for TLS to the proxy, or "socks5://…". socks5h is socks5: names
// are always left to the proxy. Without a scheme it is http. User name and
// password may be percent-encoded. Ports default to 80, 443 and 1080.
//
// The error is an errtypes.Field "server" that never quotes the URL.
func ParseUpstream(rawURL string) (Upstream, error) {
	u, err := parseUpstream(rawURL)
	if err != nil {
		return Upstream{}, errtypes.Field("server", "%s", err)
	}
	return u, nil
}

func parseUpstream(raw string) (u Upstream, err error) {
	switch {
	case raw == "":
		return u, errors.New("must not be empty")
	case len(raw) > maxUpstreamURL:
		return u, fmt.Errorf("must be at most %d bytes long", maxUpstreamURL)
	case !utf8.ValidString(raw) || strings.ContainsFunc(raw, isControl):
		return u, errors.New("must be text without control characters")
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		scheme, rest = "http", raw
	}
	if u.kind, err = parseUpstreamKind(scheme); err != nil {
		return u, err
	}
	userinfo, authority := "", strings.TrimSuffix(rest, "/")
	if strings.ContainsAny(authority, `/?#\`) { // where does the host begin? Readers differ
		return u, errors.New("must not have a path, and special characters of the user name and the password must be percent-encoded")
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		userinfo, authority = authority[:at], authority[at+1:]
	}
	if u.host, u.port, err = parseUpstreamHost(authority, upstreamPorts[u.kind]); err != nil {
		return Upstream{}, err
	}
	l, err := u.kind.parseLogin(userinfo)
	u.login = l.hidden()
	return u, err
}

func isControl(c rune) bool { return c < 0x20 || c == 0x7f }

func parseUpstreamKind(scheme string) (upstreamKind, error) {
	switch strings.ToLower(scheme) {
	case "http":
		return kindHTTP, nil
	case "https":
		return kindHTTPS, nil
	case "socks5", "socks5h":
		return kindSOCKS5, nil
	}
	return "", errors.New("must begin with http://, https:// or socks5://")
}

// parseUpstreamHost reads "host:port". What it refuses it does not quote,
// since a misplaced character can make a part of the password look like it.
func parseUpstreamHost(authority, defaultPort string) (host, port string, err error) {
	host, port, err = weburl.HostPort(authority)
	if err == nil {
		err = checkName(host)
	}
	if err != nil {
		return "", "", errors.New("must name a host, and a port from 1 to 65535 or none")
	}
	if port = cmp.Or(port, defaultPort); port == "0" {
		return "", "", errors.New("must not have port 0")
	}
	return strings.Trim(host, "[]"), port, nil
}

// parseLogin reads "user:password" with percent-encoding.
func (k upstreamKind) parseLogin(userinfo string) (l login, err error) {
	user, password, _ := strings.Cut(userinfo, ":")
	var errs [2]error
	l.user, errs[0] = url.PathUnescape(user)
	l.password, errs[1] = url.PathUnescape(password)
	if errs[0] != nil || errs[1] != nil {
		return l, errors.New("must have percent signs of the user name and the password encoded as %25")
	}
	if field, err := k.checkLogin(l); err != nil {
		return l, fmt.Errorf("has a %s that %w", field, err)
	}
	return l, nil
}

// checkLogin refuses what the proxy's protocol cannot carry, and says which of
// the two it is.
func (k upstreamKind) checkLogin(l login) (field string, err error) {
	for field, text := range map[string]string{"username": l.user, "password": l.password} {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) || len(text) > 255 {
			return field, errors.New("must be at most 255 bytes of text without control characters")
		}
	}
	switch {
	case l.user == "" && l.password != "":
		return "username", errors.New("must not be empty beside a password")
	case k == kindSOCKS5 && l.user != "" && l.password == "":
		return "password", errors.New("must not be empty: SOCKS5 wants one beside the user name")
	case k != kindSOCKS5 && strings.Contains(l.user, ":"):
		return "username", errors.New("must not contain a colon")
	}
	return "", nil
}
