package egress

import (
	"bufio"
	"bytes"
	"cmp"
	"net"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/weburl"
)

// request is the head of a client's request.
type request struct {
	target string // host:port, the host in its final form
	tunnel bool   // CONNECT; the rest is of other requests
	proto  string // HTTP/1.1 or HTTP/1.0
	method string
	path   string
	fields []field
	unread string // the fields of a tunnel
	size   int    // of the fields, in bytes
	body   framing
	// upgrade asks for another protocol after this one.
	upgrade bool
	// keep says that the client may ask for more on its connection.
	keep bool
	// plain requests may go to a proxy behind this one as they are; others take a
	// tunnel.
	plain bool
	// dialer is by what the request goes on.
	dialer *Dialer
}

// host returns the target as a Host field says it.
func (r *request) host() string { return strings.TrimSuffix(r.target, ":80") }

// head returns what is sent to the server; via is the proxy that takes it there,
// nil for none.
func (r *request) head(via *Upstream) []byte {
	var b bytes.Buffer
	b.Grow(r.size + headRoom)
	host := r.host()
	b.WriteString(r.method + " ")
	if via != nil {
		b.WriteString("http://" + host)
	}
	b.WriteString(r.path + " " + r.proto + "\r\nHost: " + host + "\r\n")
	if via != nil && via.login != nil {
		b.WriteString("Proxy-Authorization: " + via.authorization() + "\r\n")
	}
	writeFields(&b, r.fields, r.drops)
	switch {
	case r.upgrade:
		b.WriteString("Connection: Upgrade\r\n")
	case !r.keep:
		b.WriteString("Connection: close\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// drops says which fields do not go on: Host is replaced (RFC 9112, 3.2.2).
func (r *request) drops(name string) bool {
	return isHop(name) || name == "host" || name == "upgrade" && !r.upgrade
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
		return &request{target: target, tunnel: true, unread: fields}, err
	}
	return readPlainRequest(method, uri, proto, fields)
}

// readPlainRequest reads a request for an absolute http URL. The path goes on
// to the server byte by byte.
func readPlainRequest(method, uri, proto, fields string) (*request, error) {
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
	req := &request{target: target, proto: proto, method: method, path: path}
	return req, req.readFields(fields)
}

// readFields reads the fields of a request. One of which another reader might
// think differently where it ends is an error: a server, or a proxy behind this
// one, could be brought to read a second request out of it, which nobody has
// checked.
func (r *request) readFields(text string) (err error) {
	if !isToken(r.method) || strings.ContainsFunc(r.path, isControl) {
		return badRequest("the request's first line has a character that it must not have")
	}
	r.size = len(text)
	if r.fields, err = readFields(text); err != nil {
		return badRequest("the request cannot be read: %s", err)
	}
	if r.body, err = requestFraming(r.proto, r.fields); err != nil {
		return badRequest("the request cannot be read: %s", err)
	}
	named := connectionOptions(r.fields)
	r.keep = r.proto == "HTTP/1.1" && !named["close"]
	upgrades := slices.ContainsFunc(r.fields, func(f field) bool { return f.lower == "upgrade" })
	r.upgrade = upgrades && named["upgrade"]
	r.plain = !upgrades && r.body.kind != bodyChunked
	return nil
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
