package egress

import (
	"bufio"
	"bytes"
	"errors"
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

// passOn returns the header fields that go on to the other side: hop-by-hop
// fields are dropped, and Connection says close, or what an upgrade needs.
func passOn(fields string, isHop func(name string) bool) string {
	lines := fieldLines(fields)
	named := connectionOptions(lines)
	upgrade := named["upgrade"]
	var b strings.Builder
	for _, line := range lines {
		name := strings.ToLower(fieldName(line))
		if isHop(name) || named[name] && !(upgrade && name == "upgrade") {
			continue
		}
		b.WriteString(line + "\r\n")
	}
	if upgrade {
		b.WriteString("Connection: Upgrade\r\n\r\n")
	} else {
		b.WriteString("Connection: close\r\n\r\n")
	}
	return b.String()
}

// fieldLines splits a head into its fields, continuation lines joined to the
// field they continue, without the empty line.
func fieldLines(fields string) []string {
	var lines []string
	for line := range strings.SplitSeq(fields, "\n") {
		line = strings.TrimRight(line, "\r")
		switch {
		case line == "":
		case (line[0] == ' ' || line[0] == '\t') && len(lines) > 0:
			lines[len(lines)-1] += " " + strings.TrimSpace(line)
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

func fieldName(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.TrimSpace(name)
}

// connectionOptions returns what the Connection fields name, in lower case.
func connectionOptions(lines []string) map[string]bool {
	named := map[string]bool{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "connection") {
			for option := range strings.SplitSeq(value, ",") {
				named[strings.ToLower(strings.TrimSpace(option))] = true
			}
		}
	}
	return named
}

// The hop-by-hop fields (RFC 9110, 7.6.1) without Upgrade, TE and the body's
// own Transfer-Encoding and Trailer, which are relayed as they come.
func isHop(name string) bool {
	switch name {
	case "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization":
		return true
	}
	return false
}

// isRequestHop drops Host too, which the target replaces (RFC 9112, 3.2.2).
func isRequestHop(name string) bool { return isHop(name) || name == "host" }

// isResponseHop drops what only the proxy itself says.
func isResponseHop(name string) bool {
	return isHop(name) || name == strings.ToLower(RefusedHeader)
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
