package egress

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"
)

// recordHandshake is the first byte of a TLS connection.
const recordHandshake = 22

// heard is what a client has sent into its tunnel so far.
type heard struct {
	// hello is nil where the client does not speak TLS, or breaks off.
	hello *tls.ClientHelloInfo
	bytes []byte
}

var errHeard = errors.New("egress: the client's hello is read")

// hear reads the client's hello, without an answer to it.
func (c *client) hear() (h heard) {
	c.conn.SetReadDeadline(time.Now().Add(c.p.opts.HeadTimeout))
	defer c.conn.SetReadDeadline(time.Time{})
	if first, err := c.in.Peek(1); err != nil || first[0] != recordHandshake {
		return h
	}
	var got bytes.Buffer
	listening := tls.Server(listener{c.conn, io.TeeReader(c.in, &got)}, &tls.Config{
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			h.hello = hello
			return nil, errHeard
		},
	})
	listening.HandshakeContext(c.p.ctx) // fails in any case
	h.bytes = got.Bytes()
	return h
}

// listener is a connection on which nothing is said.
type listener struct {
	net.Conn
	r io.Reader
}

func (l listener) Read(b []byte) (int, error)  { return l.r.Read(b) }
func (l listener) Write(b []byte) (int, error) { return len(b), nil }

// again returns a reader of the client that has all in its buffer that was read
// from the connection, so that the rest can be read from there.
func (c *client) again(h heard) *bufio.Reader {
	ahead, _ := c.in.Peek(c.in.Buffered())
	all := append(bytes.Clone(h.bytes), ahead...)
	c.in.Discard(len(ahead))
	r := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(all), c.conn), max(len(all), 16))
	r.Peek(len(all))
	return r
}

// replayed is a connection whose first bytes have been read already.
type replayed struct {
	net.Conn
	in *bufio.Reader
}

func (r replayed) Read(b []byte) (int, error) { return r.in.Read(b) }
