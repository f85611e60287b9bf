package weburl

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// The characters of ASCII that are percent-encoded in each part of a URL, beside
// controls and what is not ASCII: the standard's sets.
const (
	pathEscapes       = " \"#<>?^`{}"
	otherQueryEscapes = " \"#<>" // and "'" where the scheme is special
	fragmentEscapes   = " \"<>`"
	userEscapes       = pathEscapes + "/:;=@[\\]|"
)

// normalizePath resolves the dots of a path and encodes it. Where the scheme is
// special, a backslash is a slash.
func normalizePath(path string, special bool) string {
	if special {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	path = Escape(strings.TrimPrefix(path, "/"), pathEscapes)
	if !mayHoldDots(path) {
		return "/" + path
	}
	out := make([]byte, 0, len(path)+1)
	for last := false; !last; {
		var segment string
		segment, path, last = cutSegment(path)
		switch dots(segment) {
		case 2:
			out = out[:max(bytes.LastIndexByte(out, '/'), 0)]
			fallthrough
		case 1:
			if last {
				out = append(out, '/')
			}
		default:
			out = append(append(out, '/'), segment...)
		}
	}
	return string(out)
}

// cutSegment splits the first segment off a path.
func cutSegment(path string) (segment, rest string, last bool) {
	segment, rest, found := strings.Cut(path, "/")
	return segment, rest, !found
}

// mayHoldDots reports whether a segment of the path begins with a dot.
func mayHoldDots(path string) bool {
	return path != "" && (path[0] == '.' || path[0] == '%') || strings.Contains(path, "/.") || strings.Contains(path, "/%2")
}

// dots returns 1 for a segment that means here, 2 for one that means above, 0
// for any other. A dot may be encoded.
func dots(segment string) int {
	if segment == "" || len(segment) > len("%2e%2e") || segment[0] != '.' && segment[0] != '%' {
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

// Escape percent-encodes the bytes of s that are controls, not ASCII, or among
// chars.
func Escape(s, chars string) string {
	return escapeFunc(s, func(c byte) bool {
		return c < ' ' || c >= 0x7f || strings.IndexByte(chars, c) >= 0
	})
}

// FixPercent encodes every "%" that does not begin an encoded byte: browsers
// send it as it is, net/url does not read it.
func FixPercent(s string) string {
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

// EscapeNonASCII percent-encodes the bytes of s that are not ASCII, whether or
// not they are UTF-8.
func EscapeNonASCII(s string) string {
	return escapeFunc(s, func(c byte) bool { return c >= utf8.RuneSelf })
}

func isAlpha(c rune) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' && c < utf8.RuneSelf }
func isDigit(c rune) bool { return '0' <= c && c <= '9' }
