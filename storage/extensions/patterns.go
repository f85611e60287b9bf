package extensions

import (
	"slices"
	"strconv"
	"strings"
)

// pageSchemes are those of pages that content scripts can be for.
var pageSchemes = []string{"*", "http", "https", "file", "ftp"}

// patternFault says what is wrong with a match pattern,
// https://developer.chrome.com/docs/extensions/develop/concepts/match-patterns;
// empty for nothing. Schemes are those that it may have, nil for any.
func patternFault(pattern string, schemes []string) string {
	if pattern == "<all_urls>" {
		return ""
	}
	scheme, rest, ok := strings.Cut(pattern, "://")
	switch {
	case !ok:
		return "it has no ://"
	case schemes != nil && !slices.Contains(schemes, scheme):
		return "its scheme is not one of " + strings.Join(schemes, ", ")
	case scheme == "file":
		return ""
	}
	host, _, ok := strings.Cut(rest, "/")
	if !ok {
		return "it has no path, such as /*"
	}
	return hostFault(host)
}

// hostFault allows a wildcard in place of a host and of what is before its first
// dot.
func hostFault(host string) string {
	host, port := cutPort(host)
	if n, err := strconv.ParseUint(port, 10, 16); port != "*" && (err != nil || strconv.FormatUint(n, 10) != port) {
		return "its port is not a number from 0 to 65535"
	}
	below, _ := strings.CutPrefix(host, "*.")
	switch {
	case host == "*":
		return ""
	case below == "":
		return "it has no host"
	case strings.Contains(below, "*"):
		return "a * may only stand for the whole host, or for what is before its first dot"
	case strings.Contains(below, "@"):
		return "it names a user"
	}
	return ""
}

// cutPort takes the port off a host; * where it has none. The address of an IPv6
// host is in brackets.
func cutPort(host string) (rest, port string) {
	at := strings.LastIndexByte(host, ':')
	if at < 0 || strings.HasSuffix(host, "]") {
		return host, "*"
	}
	return host[:at], host[at+1:]
}
