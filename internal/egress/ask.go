package egress

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// ask has the proxy connect conn to addr, a "host:port".
func (u *Upstream) ask(conn net.Conn, addr string) (net.Conn, error) {
	if u.kind == kindSOCKS5 {
		return conn, u.askSOCKS(conn, addr)
	}
	return u.askCONNECT(conn, addr)
}

// maxUpstreamHead bounds the head of a proxy's answer to CONNECT, and
// maxInterim how many interim ones come before it.
const (
	maxUpstreamHead = 64 << 10
	maxInterim      = 5
)

// askCONNECT asks for a tunnel (RFC 9110, 9.3.6).
func (u *Upstream) askCONNECT(conn net.Conn, addr string) (net.Conn, error) {
	request := "CONNECT " + addr + " HTTP/1.1\r\nHost: " + addr + "\r\n"
	if auth := u.authorization(); auth != "" {
		request += "Proxy-Authorization: " + auth + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return nil, u.errorf(errtypes.BadGateway, err, "broke the connection")
	}
	in := bufio.NewReader(conn)
	status, err := readConnectStatus(in)
	switch {
	case err != nil:
		return nil, u.errorf(errtypes.BadGateway, err, "sent no answer that can be read")
	case status < 200 || status > 299:
		return nil, u.refusal(status)
	case in.Buffered() > 0:
		return &readAhead{conn, in}, nil
	}
	return conn, nil
}

// readConnectStatus reads up to the end of the answer's head.
func readConnectStatus(in *bufio.Reader) (int, error) {
	for range maxInterim {
		head, err := readHead(in, maxUpstreamHead)
		if err != nil {
			return 0, err
		}
		line, _, _ := strings.Cut(string(head), "\n")
		status := statusOf(strings.TrimRight(line, "\r"))
		switch {
		case !strings.HasPrefix(line, "HTTP/1.") || status < 100 || status > 599:
			return 0, fmt.Errorf("no status line of HTTP/1: %.40q", line)
		case status >= 200:
			return status, nil
		}
	}
	return 0, errors.New("too many interim answers")
}

// refusal explains the status with which a proxy answered.
func (u *Upstream) refusal(status int) error {
	kind, text := errtypes.BadGateway, "could not connect to the server"
	switch status {
	case http.StatusProxyAuthRequired:
		text = "wants a user name and a password, or does not take the ones it has got"
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusTooManyRequests:
		text = "refuses to connect to the server"
	case http.StatusGatewayTimeout, http.StatusRequestTimeout:
		kind, text = errtypes.GatewayTimeout, "could not connect to the server in time"
	}
	return u.errorf(kind, nil, "%s (%d)", text, status)
}

// readAhead is a connection of which a part has been read.
type readAhead struct {
	net.Conn
	in *bufio.Reader
}

func (c *readAhead) Read(p []byte) (int, error) { return c.in.Read(p) }

// CloseWrite ends one direction.
func (c *readAhead) CloseWrite() error { return closeWrite(c.Conn) }
