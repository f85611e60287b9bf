package egress

import (
	"strings"
	"unicode/utf8"
)

// The characters of ASCII that are percent-encoded in each part of an http
// URL, beside controls and what is not ASCII. The standard's sets; those of
// path and fragment are widened by what net/url would encode.
const (
	pathEscapes     = " \"#<>?^`{}|"
	queryEscapes    = " \"#<>'"
	fragmentEscapes = " \"<>`#\\^{|}"
)

// normalizePath resolves the dots of a path, in which a backslash is a slash,
// and encodes it.
func normalizePath(path string) string {
	path = strings.TrimPrefix(strings.ReplaceAll(path, `\`, "/"), "/")
	var out []string
	segments := strings.Split(path, "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch dots(s) {
		case 2:
			out = out[:max(len(out)-1, 0)]
			fallthrough
		case 1:
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, escape(fixPercent(s), pathEscapes))
		}
	}
	return "/" + strings.Join(out, "/")
}

// dots returns 1 for a segment that means here, 2 for one that means above, 0
// for any other. A dot may be encoded.
func dots(segment string) int {
	if len(segment) > len("%2e%2e") {
		return 0
	}
	switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
	case ".":
		return 1
	case "..":
		return 2
	}
	return 0
}

// escape percent-encodes the bytes of s that are controls, not ASCII, or among
// chars.
func escape(s, chars string) string {
	return escapeFunc(s, func(c byte) bool {
		return c < ' ' || c >= 0x7f || strings.IndexByte(chars, c) >= 0
	})
}

func escapeNonASCII(s string) string {
	return escapeFunc(s, func(c byte) bool { return c >= utf8.RuneSelf })
}

// fixPercent encodes every "%" that does not begin an encoded byte: browsers
// send it as it is, net/url does not read it.
func fixPercent(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] == '%' && !encodedAt(s, i) {
			b.WriteString("%25")
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func encodedAt(s string, i int) bool {
	return i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
}

func isHex(c byte) bool {
	return isDigit(rune(c)) || ('a' <= c|0x20 && c|0x20 <= 'f')
}

const upperHex = "0123456789ABCDEF"

func escapeFunc(s string, mustEscape func(byte) bool) string {
	clean := 0
	for clean < len(s) && !mustEscape(s[clean]) {
		clean++
	}
	if clean == len(s) {
		return s
	}
	b := []byte(s[:clean])
	for _, c := range []byte(s[clean:]) {
		if mustEscape(c) {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}
