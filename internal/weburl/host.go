package weburl

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// HostPort reads the "host:port" or "host" of an http URL. The port is empty
// where there is none.
func HostPort(s string) (host, port string, err error) {
	host, port, _ = cutPort(s)
	if port, err = parsePort("", port); err != nil {
		return "", "", err
	}
	host, err = parseHost(host)
	return host, port, err
}

// cutPort splits at the first colon outside of brackets.
func cutPort(s string) (host, port string, ok bool) {
	inside := false
	for i := range len(s) {
		switch s[i] {
		case '[':
			inside = true
		case ']':
			inside = false
		case ':':
			if !inside {
				return s[:i], s[i+1:], true
			}
		}
	}
	return s, "", false
}

// parsePort returns "8080", or "" for the scheme's own port.
func parsePort(scheme, s string) (string, error) {
	if strings.ContainsFunc(s, func(c rune) bool { return !isDigit(c) }) {
		return "", errors.New("has a port that is not a number")
	}
	digits := strings.TrimLeft(s, "0")
	if s == "" || digits == ports[scheme] && digits != "" {
		return "", nil
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return "", errors.New("has a port above 65535")
	}
	return strconv.FormatUint(n, 10), nil
}

var errNoHost = errors.New("has no host")

// parseHost reads a host as the standard says and returns a DNS name in ASCII
// and lower case, an IPv4 address in four decimals, or an IPv6 address in
// brackets.
func parseHost(s string) (string, error) {
	if s == "" {
		return "", errNoHost
	}
	if s[0] == '[' {
		return parseIPv6(s)
	}
	name, err := toASCII(unescapeHost(s))
	if err != nil {
		return "", err
	}
	switch {
	case name == "":
		return "", errNoHost
	case EndsInNumber(name):
		return parseIPv4(name)
	}
	if err := checkControls(name); err != nil {
		return "", err
	}
	return name, checkCharacters(name, forbidden+"%")
}

// forbidden are the characters that no host has, in a scheme that is not
// special either.
const forbidden = "\x00\t\n\r #/:<>?@[\\]^|"

// checkCharacters refuses what would be read as another part of a URL.
func checkCharacters(name, forbidden string) error {
	for _, c := range name {
		if strings.ContainsRune(forbidden, c) {
			return fmt.Errorf("has a host with the character %q", c)
		}
	}
	return nil
}

// checkControls refuses control characters, which no domain has.
func checkControls(name string) error {
	for _, c := range name {
		if c < ' ' || c == 0x7f {
			return fmt.Errorf("has a host with the character %q", c)
		}
	}
	return nil
}

// parseOpaqueHost reads the host of a scheme that is not special, which nobody
// looks up.
func parseOpaqueHost(s string) (string, error) {
	if strings.HasPrefix(s, "[") {
		return parseIPv6(s)
	}
	return Escape(s, ""), checkCharacters(s, forbidden)
}

func unescapeHost(s string) string {
	if decoded, err := url.PathUnescape(FixPercent(s)); err == nil {
		return decoded
	}
	return s // not reached: every "%" has been fixed
}

// parseIPv6 reads "[::1]". A zone is refused, as in browsers.
func parseIPv6(s string) (string, error) {
	inner, ok := strings.CutSuffix(s[1:], "]")
	addr, err := netip.ParseAddr(inner)
	if !ok || err != nil || addr.Zone() != "" || addr.Is4() {
		return "", fmt.Errorf("has a host in brackets that is no IPv6 address")
	}
	return "[" + ipv6String(addr) + "]", nil
}

// ipv6String writes an address as the standard does: unlike netip, a mapped
// IPv4 address in hexadecimal.
func ipv6String(addr netip.Addr) string {
	if !addr.Is4In6() {
		return addr.String()
	}
	b := addr.As16()
	return fmt.Sprintf("::ffff:%x:%x", uint16(b[12])<<8|uint16(b[13]), uint16(b[14])<<8|uint16(b[15]))
}

// lookupProfile is the processing that the standard calls domain to ASCII.
var lookupProfile = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.BidiRule(),
	idna.CheckJoiners(true),
	idna.CheckHyphens(false),
	idna.StrictDomainName(false),
	idna.VerifyDNSLength(false),
)

var errBadName = errors.New("has a host that is no valid domain name")

func toASCII(name string) (string, error) {
	if plainASCII(name) {
		return strings.ToLower(name), nil
	}
	ascii, err := lookupProfile.ToASCII(name)
	if err != nil || !utf8.ValidString(name) || badPunycode(name) {
		return "", errBadName
	}
	return ascii, nil
}

// badPunycode reports a label that claims to be Punycode and is empty, which
// package idna drops, or not ASCII. (Browsers read a few of the latter, after
// mapping; nobody writes them in good faith.)
func badPunycode(name string) bool {
	for label := range strings.FieldsFuncSeq(strings.ToLower(name), isDot) {
		if rest, ok := strings.CutPrefix(label, "xn--"); ok && (rest == "" || !isASCII(rest)) {
			return true
		}
	}
	return false
}

// isDot reports the characters that UTS 46 maps to a dot.
func isDot(c rune) bool { return c == '.' || c == '\u3002' || c == '\uff0e' || c == '\uff61' }

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf })
}

// plainASCII reports whether UTS 46 would only lower the case of name.
func plainASCII(name string) bool {
	return isASCII(name) && !strings.Contains(strings.ToLower("."+name), ".xn--")
}

// EndsInNumber reports whether the last label is a number, in which case the
// whole can only be an IPv4 address.
func EndsInNumber(name string) bool {
	name = strings.TrimSuffix(name, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" {
		return false
	}
	if !strings.ContainsFunc(last, func(c rune) bool { return !isDigit(c) }) {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

var errBadIPv4 = errors.New("has a host that ends in a number and is no IPv4 address")

// parseIPv4 reads one to four numbers in decimal, octal or hexadecimal; the
// last one fills what is left of the 32 bits.
func parseIPv4(s string) (string, error) {
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	if len(parts) > 4 {
		return "", errBadIPv4
	}
	var addr uint64
	for i, part := range parts {
		n, ok := parseIPv4Number(part)
		last := i == len(parts)-1
		width := 8
		if last {
			width = 8 * (5 - len(parts))
		}
		if !ok || n >= 1<<width {
			return "", errBadIPv4
		}
		addr = addr<<width | n
	}
	return netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)}).String(), nil
}

// parseIPv4Number reads digits in the base their beginning tells. A number too
// large for 64 bits is a number all the same: the greatest.
func parseIPv4Number(s string) (n uint64, ok bool) {
	if s == "" {
		return 0, false
	}
	base, digits := 10, s
	switch {
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		base, digits = 16, s[2:]
	case len(s) > 1 && s[0] == '0':
		base, digits = 8, s[1:]
	}
	if digits == "" {
		return 0, true
	}
	if strings.ContainsFunc(digits, func(c rune) bool { return c >= utf8.RuneSelf || !isHex(byte(c)) }) {
		return 0, false // ParseUint may report the range before it sees them
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 1<<64 - 1, true
	}
	return n, err == nil
}
