package egress

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/weburl"
)

// request is the head of a client's request.
type request struct {
	target string // host:port, the host in its final form
	tunnel bool   // CONNECT; the rest is of other requests
	method string
	path   string
	fields string // what goes on to the server, with the empty line
	// upgrade is a switch to another protocol, which takes a tunnel where there
	// is a proxy behind this one.
	upgrade bool
}

// host returns the target as a Host field says it.
func (r *request) host() string { return strings.TrimSuffix(r.target, ":80") }

// head returns what is sent to the server; via is the proxy that takes it there,
// nil for none.
func (r *request) head(via *Upstream) []byte {
	var b bytes.Buffer
	if via == nil {
		fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.method, r.path, r.host())
	} else {
		fmt.Fprintf(&b, "%s http://%s%s HTTP/1.1\r\nHost: %s\r\n", r.method, r.host(), r.path, r.host())
		if auth := via.authorization(); auth != "" {
			fmt.Fprintf(&b, "Proxy-Authorization: %s\r\n", auth)
		}
	}
	b.WriteString(r.fields)
	return b.Bytes()
}

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

func badRequest(format string, args ...any) error {
	return errtypes.New(errtypes.Invalid, format, args...)
}

func readRequest(in *bufio.Reader, limit int) (*request, error) {
	head, err := readHead(in, limit)
	if err != nil {
		return nil, err
	}
	line, fields, _ := strings.Cut(string(head), "\n")
	method, rest, _ := strings.Cut(strings.TrimRight(line, "\r"), " ")
	uri, proto, ok := strings.Cut(rest, " ")
	if !ok || method == "" || (proto != "HTTP/1.1" && proto != "HTTP/1.0") {
		return nil, badRequest("this is an HTTP/1.1 forward proxy, and that is no request to one")
	}
	if method == "CONNECT" {
		target, err := parseTarget("", uri)
		return &request{target: target, tunnel: true}, err
	}
	return readPlainRequest(method, uri, fields)
}

// readPlainRequest reads a request for an absolute http URL. The path goes on
// to the server byte by byte.
func readPlainRequest(method, uri, fields string) (*request, error) {
	rest, ok := cutPrefixFold(uri, "http://")
	if !ok {
		return nil, badRequest("the request's target must be an absolute http URL")
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, path := rest[:end], rest[end:]
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	target, err := parseTarget("80", authority)
	if err != nil {
		return nil, err
	}
	return &request{
		target: target, method: method, path: path, fields: passOn(fields, isRequestHop),
		upgrade: connectionOptions(fieldLines(fields))["upgrade"],
	}, nil
}

// parseTarget reads "host:port", or "host" where there is a default port, and
// gives the host its final form, so that what is checked is what a browser
// would have meant.
func parseTarget(defaultPort, s string) (string, error) {
	if strings.Contains(s, "@") {
		return "", badRequest("the target must not contain a user name or a password")
	}
	host, port, err := weburl.HostPort(s)
	if err == nil {
		err = checkName(host)
	}
	if port = cmp.Or(port, defaultPort); err != nil || port == "" {
		return "", badRequest("the target %q %s", s, reason(err))
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port), nil
}

func reason(err error) string {
	if err == nil {
		return "has no port"
	}
	return err.Error()
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
