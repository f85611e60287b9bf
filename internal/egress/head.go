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
		if !ok || name == "" || strings.ContainsFunc(name, notInToken) || strings.ContainsAny(value, "\r\x00") {
			return nil, fmt.Errorf("%.40q is no header field", line)
		}
		fields = append(fields, field{name, strings.ToLower(name), strings.Trim(value, " \t")})
	}
	return fields, nil
}

// notInToken is for tokens of HTTP (RFC 9110, 5.6.2).
func notInToken(c rune) bool { return c >= 0x80 || !inToken[c] }

var inToken = func() (in [0x80]bool) {
	for c := range in {
		in[c] = c > ' ' && c < 0x7f && !strings.ContainsRune("\"(),/:;<=>?@[\\]{}", rune(c))
	}
	return in
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
