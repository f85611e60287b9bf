package egress

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// response is the head of a server's response.
type response struct {
	status int
	line   string // "200 OK"
	fields []field
	size   int // of the fields, in bytes
	body   framing
	keep   bool // the server may be asked for more on its connection
}

// readResponse reads the head of a response to a request.
func readResponse(head []byte, req *request) (*response, error) {
	first, text, _ := strings.Cut(string(head), "\n")
	proto, line, _ := strings.Cut(strings.TrimSuffix(first, "\r"), " ")
	resp := &response{status: statusOf(first), line: line, size: len(text)}
	if (proto != "HTTP/1.1" && proto != "HTTP/1.0") || !isStatus(line) || strings.ContainsAny(line, "\r\x00") {
		return nil, fmt.Errorf("no status line of HTTP/1: %.40q", first)
	}
	var err error
	if resp.fields, err = readFields(text); err != nil {
		return nil, err
	}
	if resp.body, err = responseFraming(min(proto, req.proto), req.method, resp.status, resp.fields); err != nil {
		return nil, err
	}
	if resp.status == http.StatusSwitchingProtocols && !req.upgrade {
		return nil, errNotRequested
	}
	resp.keep = proto == "HTTP/1.1" && !connectionOptions(resp.fields)["close"]
	return resp, nil
}

// isStatus reports whether a line begins with a status, of 100 to 999.
func isStatus(line string) bool {
	code, _, _ := strings.Cut(line, " ")
	return len(code) == 3 && code[0] != '0' && strings.Trim(code, "0123456789") == ""
}

// interim reports whether another head follows.
func (r *response) interim() bool {
	return r.status < 200 && r.status != http.StatusSwitchingProtocols
}

// head returns what is sent to the client; keep says that it may ask for more on
// its connection.
func (r *response) head(keep bool) []byte {
	var b bytes.Buffer
	b.Grow(r.size + headRoom)
	b.WriteString("HTTP/1.1 " + r.line + "\r\n")
	writeFields(&b, r.fields, r.drops)
	switch {
	case r.status == http.StatusSwitchingProtocols:
		b.WriteString("Connection: Upgrade\r\n")
	case !keep && !r.interim():
		b.WriteString("Connection: close\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// drops says which fields do not go on: what only the proxy itself says, and
// where a body would end that there cannot be.
func (r *response) drops(name string) bool {
	switch name {
	case "content-length", "transfer-encoding":
		return r.status < 200 || r.status == http.StatusNoContent
	case "upgrade":
		return r.status != http.StatusSwitchingProtocols && r.status != http.StatusUpgradeRequired
	}
	return isHop(name) || strings.EqualFold(name, RefusedHeader)
}
