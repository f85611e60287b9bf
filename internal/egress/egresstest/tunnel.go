package egresstest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
)

// Tunnel asks a proxy for tunnels.
type Tunnel struct {
	// Proxy is its "host:port".
	Proxy string
}

// To returns a connection to a "host:port" through the proxy, which must not
// speak first.
func (u *Tunnel) To(t testing.TB, target string) (net.Conn, error) {
	t.Helper()
	conn, err := net.Dial("tcp", u.Proxy)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target)
	resp, err := http.ReadResponse(bufio.NewReaderSize(io.LimitReader(conn, 4096), 16), &http.Request{Method: http.MethodConnect})
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the proxy answered %s", resp.Status)
	}
	return conn, err
}
