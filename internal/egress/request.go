package egress

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"net"
	"strconv"
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
	// plain requests may go to a proxy behind this one as they are, with so many
	// bytes of body; others take a tunnel.
	plain bool
	body  int64
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
	req := &request{target: target, method: method, path: path, fields: passOn(fields, isRequestHop)}
	req.body, req.plain = framing(method+path, fieldLines(req.fields))
	return req, nil
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

// framing returns the length of a request's body. ok is false for a request of
// which another reader might think differently where it ends, or that has no
// end: a proxy behind this one could be brought to read a second request out of
// it, which nobody has checked.
func framing(line string, fields []string) (length int64, ok bool) {
	if strings.ContainsFunc(line, isControl) {
		return 0, false
	}
	seen := false
	for _, field := range fields {
		name, value, colon := strings.Cut(field, ":")
		if !colon || strings.ContainsFunc(name, notInName) || strings.ContainsAny(value, "\r\x00") {
			return 0, false
		}
		switch strings.ToLower(name) {
		case "transfer-encoding", "upgrade":
			return 0, false
		case "content-length":
			n, err := strconv.ParseUint(strings.Trim(value, " \t"), 10, 62)
			if seen || err != nil {
				return 0, false
			}
			length, seen = int64(n), true
		}
	}
	return length, true
}

func notInName(c rune) bool { return c <= ' ' || c >= 0x7f }
