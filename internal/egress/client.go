package egress

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// client is one connection of a client. The goroutine that serves it reads from
// it and writes to servers; the goroutine of its link reads from the server and
// answers. Requests are answered one at a time, in their order.
//
// A client has a connection to a server of its own, as it would without a
// proxy. So what a browser keeps apart stays apart, a log-in that belongs to a
// connection stays the client's, and a server that answers out of turn harms
// nobody but those who have asked it over that very connection.
type client struct {
	p    *Proxy
	conn net.Conn
	in   *bufio.Reader
	idle *idleWatch // nil before the first request that goes on

	mu    sync.Mutex
	link  *link // nil: none
	ended bool
}

// serve handles one client from its first request to the end of the connection.
func (p *Proxy) serve(conn net.Conn) {
	defer p.leave(conn)
	if p.checkUID && !sameUser(conn) {
		p.counters.turnedAway.Add(1)
		return
	}
	c := &client{p: p, conn: conn, in: bufio.NewReader(conn)}
	defer c.close()
	for again := true; again; again = c.turn() {
	}
}

// close ends what the client has left.
func (c *client) close() {
	c.end()
	c.unlink()
	if c.idle != nil {
		c.idle.stop()
	}
}

// end closes both connections, from anywhere.
func (c *client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.conn.Close()
	if c.link != nil {
		c.link.conn.Close()
	}
}

// reset is end where the client could take what it has got for the whole.
func (c *client) reset() {
	if tcp, ok := c.conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.end()
}

func (c *client) hasEnded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// turn takes one request; again says that the connection is good for another.
func (c *client) turn() (again bool) {
	req, err := c.read()
	if err != nil {
		c.p.answerBadRequest(c.conn, err)
		linger(c.conn)
		return false
	}
	c.p.counters.requests.Add(1)
	if c.admit(req) {
		return false
	}
	if req.tunnel {
		err = c.tunnel(req)
	} else {
		again, err = c.forward(&exchange{c: c, req: req, outcome: make(chan outcome, 1)})
	}
	if err != nil {
		c.p.answerFailure(c.conn, req, err)
		linger(c.conn)
	}
	return again
}

// read reads a request, for which the client has its time. Mostly all of it is
// there, and setting a timer would cost more than reading it.
func (c *client) read() (*request, error) {
	ahead, _ := c.in.Peek(c.in.Buffered())
	if !bytes.Contains(ahead, []byte("\r\n\r\n")) {
		c.conn.SetReadDeadline(time.Now().Add(c.p.opts.HeadTimeout))
		defer c.conn.SetReadDeadline(time.Time{})
	}
	return readRequest(c.in, c.p.opts.MaxHeadBytes)
}

// tunnel relays bytes both ways until both sides are done. The error is that of
// connecting.
func (c *client) tunnel(req *request) error {
	c.unlink()
	if c.idle != nil {
		c.idle.stop() // the tunnel has its own
	}
	if serve := req.dialer.rules.inside(req.target); serve != nil {
		c.answerInside(req, serve)
		return nil
	}
	w, err := c.p.judge(req)
	if err != nil {
		return err
	}
	w, server, err := c.p.connect(req, w)
	if err != nil {
		return err
	}
	if err := c.established(); err != nil {
		c.p.drop(server)
		return nil
	}
	if m := w.dialer.rules.tls; m != nil {
		c.tunnelTLS(req, w, server, m)
		return nil
	}
	defer c.p.drop(server)
	c.p.relay(c.conn, c.in, server)
	return nil
}

// established tells the client that its tunnel stands.
func (c *client) established() error {
	_, err := io.WriteString(c.conn, "HTTP/1.1 200 Connection Established\r\n\r\n")
	return err
}

// forward sends a request and waits for the end of its response, and for the
// next request. The error is that of connecting.
func (c *client) forward(x *exchange) (again bool, err error) {
	l, err := c.linkFor(x)
	if err != nil {
		return false, err
	}
	var next error
	switch err := l.send(x); {
	case err == nil:
		_, next = c.in.Peek(1)
	case !errors.As(err, new(writeError)) && len(x.outcome) == 0: // the client is gone, or its body cannot be read
		c.end()
	}
	switch {
	case next == io.EOF: // no more requests
		closeWrite(l.conn)
	case next != nil:
		c.end()
	}
	switch <-x.outcome {
	case outcomeKeep:
		return next == nil, nil
	case outcomeSwitched:
		l.switched(next)
	default:
		linger(c.conn)
	}
	return false, nil
}

// linkFor returns a connection to the server of a request, which the policy and
// the gate have judged: the one that there is, if it leads there by the same
// way.
func (c *client) linkFor(x *exchange) (*link, error) {
	w, err := c.p.judge(x.req)
	if err != nil {
		return nil, err
	}
	if l := c.link; l != nil {
		if l.reuse(x, w) {
			return l, nil
		}
		c.unlink()
	}
	w, conn, err := c.p.connect(x.req, w)
	if err != nil {
		return nil, err
	}
	if c.idle == nil {
		c.idle = newIdleWatch(c.p.opts.Clock, c.p.opts.IdleTimeout, c.end)
	}
	l := newLink(c, conn, w, x)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		conn.Close()
	}
	c.link = l
	return l, nil
}

// unlink closes the connection to the server.
func (c *client) unlink() {
	c.mu.Lock()
	l := c.link
	c.link = nil
	c.mu.Unlock()
	if l != nil {
		l.close()
	}
}
