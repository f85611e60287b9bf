package egress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"
)

var errHeadTooLong = errors.New("the head of the request is too long")

// readHead reads up to and including the empty line. Line ends are kept.
func readHead(in *bufio.Reader, limit int) ([]byte, error) {
	var head []byte
	for {
		line, err := in.ReadSlice('\n')
		if head == nil { // mostly all of it is there
			head = make([]byte, 0, min(len(line)+in.Buffered(), usualHead))
		}
		head = append(head, line...)
		switch {
		case len(head) > limit:
			return nil, errHeadTooLong
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, err
		case len(bytes.TrimRight(line, "\r\n")) == 0 && lineComplete(head, line):
			return head, nil
		}
	}
}

// usualHead is as long as most heads are at most.
const usualHead = 2 << 10

// headRoom is for the first line of a head that is passed on, and what the proxy
// adds; where it is too little, it grows.
const headRoom = 256

// lineComplete reports whether line, the end of head, is a whole line.
func lineComplete(head, line []byte) bool {
	before := head[:len(head)-len(line)]
	return len(before) > 0 && before[len(before)-1] == '\n'
}

// field is one line of a head, without its end.
type field struct {
	name  string // as it was sent
	lower string
	value string
}

// readFields reads what follows the first line of a head. A head of which
// another reader might think differently what its fields are is an error: a
// line that continues another, a name that is none, a line end within a line.
func readFields(text string) ([]field, error) {
	fields := make([]field, 0, 16)
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			continue // the end
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || !isToken(name) || strings.IndexByte(value, '\r') >= 0 || strings.IndexByte(value, 0) >= 0 {
			return nil, fmt.Errorf("%.40q is no header field", line)
		}
		fields = append(fields, field{name, lowerName(name), strings.Trim(value, " \t")})
	}
	return fields, nil
}

// isToken reports whether all of s may be in a token of HTTP (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		if !inToken[s[i]] {
			return false
		}
	}
	return true
}

var inToken = func() (in [256]bool) {
	for c := '!'; c <= '~'; c++ {
		in[c] = !strings.ContainsRune("\"(),/:;<=>?@[\\]{}", c)
	}
	return in
}()

// lowerName is strings.ToLower, without a copy of the names that most heads
// have.
func lowerName(name string) string {
	if lower, ok := usualNames[name]; ok {
		return lower
	}
	return strings.ToLower(name)
}

var usualNames = func() map[string]string {
	lower := map[string]string{}
	for _, name := range []string{
		"Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Authorization", "Cache-Control",
		"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Cookie", "Date", "ETag", "Expires",
		"Host", "If-Modified-Since", "If-None-Match", "Keep-Alive", "Last-Modified", "Location", "Origin", "Pragma",
		"Proxy-Connection", "Range", "Referer", "Server", "Set-Cookie", "Transfer-Encoding", "Upgrade-Insecure-Requests",
		"User-Agent", "Vary", "Via",
	} {
		lower[name] = strings.ToLower(name)
	}
	return lower
}()

// writeFields writes the fields that go on to the other side: not those that
// drop names, nor those that Connection names. What says where the body ends it
// cannot take away.
func writeFields(b *bytes.Buffer, fields []field, drop func(name string) bool) {
	named := connectionOptions(fields)
	for _, f := range fields {
		if drop(f.lower) || named[f.lower] && !needed(f.lower) {
			continue
		}
		b.WriteString(f.name)
		b.WriteString(": ")
		b.WriteString(f.value)
		b.WriteString("\r\n")
	}
}

func needed(name string) bool {
	return name == "content-length" || name == "transfer-encoding" || name == "upgrade"
}

// connectionOptions returns what the Connection fields name, in lower case.
func connectionOptions(fields []field) map[string]bool {
	var named map[string]bool
	for _, f := range fields {
		if f.lower != "connection" && f.lower != "proxy-connection" {
			continue
		}
		if named == nil {
			named = map[string]bool{}
		}
		for option := range strings.SplitSeq(f.value, ",") {
			named[strings.ToLower(strings.Trim(option, " \t"))] = true
		}
	}
	return named
}

// isHop says which fields are for the next machine only (RFC 9110, 7.6.1).
// Upgrade, TE and the body's own Transfer-Encoding and Trailer are not among
// them: they go on where the body goes on as it is.
func isHop(name string) bool {
	switch name {
	case "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization":
		return true
	}
	return false
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
