package egress

import (
	"net"
	"time"
)

// answerInside hands a tunnel to what answers it in the place of a server.
func (c *client) answerInside(req *request, serve func(net.Conn)) {
	if c.established() != nil {
		return
	}
	c.conn.SetReadDeadline(time.Now().Add(c.p.opts.HeadTimeout))
	first, err := c.in.Peek(1)
	c.conn.SetReadDeadline(time.Time{})
	if err != nil {
		return
	}
	conn := net.Conn(replayed{c.conn, c.in})
	if first[0] == recordHandshake {
		secure, ok := c.pose(req.target, c.in, "http/1.1")
		if !ok {
			return
		}
		conn = secure
	}
	serve(conn)
}
