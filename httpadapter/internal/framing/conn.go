// Package framing refuses requests of which two readers may see two ends.
//
// A request with both Content-Length and Transfer-Encoding is how one is
// smuggled past a proxy that goes by the other header. net/http takes such a
// request by its chunks and leaves no trace of the length, so what arrives is
// looked at before net/http sees it: a connection follows its requests from
// end to end (message.go), hands on every byte as it came, and breaks off in
// the head of a request that is refused, which net/http answers with 400 and
// the end of the connection.
package framing

import (
	"net"
	"net/http"
	"sync/atomic"
)

// Listen returns a listener whose connections are watched. They must carry
// plain HTTP/1: what TLS encrypts cannot be looked at here.
func Listen(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// Watch is for http.Server.ConnState: what follows an upgrade is no request.
func Watch(c net.Conn, s http.ConnState) {
	if c, ok := c.(*conn); ok && s == http.StateHijacked {
		c.free.Store(true)
	}
}

// conn is read by one goroutine at a time, as net/http does.
type conn struct {
	net.Conn
	free atomic.Bool // of requests
	msg  message
	rest []byte // has come, and belongs to what follows the present message
	err  error  // why the connection is broken off
}

// Read never crosses the end of a request, so that net/http has done with one
// before the next is looked at.
func (c *conn) Read(p []byte) (int, error) {
	if c.err != nil || len(p) == 0 {
		return 0, c.err
	}
	n, err := c.next(p)
	if n == 0 || c.free.Load() {
		return n, err
	}
	taken, refused := c.msg.take(p[:n])
	if refused != nil {
		c.err, c.rest = refused, nil
		if taken == 0 {
			return 0, refused
		}
		return taken, nil
	}
	if taken < n {
		c.rest = append(append([]byte(nil), p[taken:n]...), c.rest...)
		return taken, nil // what err says, the next Read will find again
	}
	return n, err
}

func (c *conn) next(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// CloseWrite lets net/http end an answer before it closes the connection.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return net.ErrClosed
}
