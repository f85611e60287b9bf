package egress

import (
	"bufio"
	"net"
	"strconv"
	"strings"
	"sync"
)

// relay copies both ways until both directions have ended, one has failed, or
// both were idle too long.
func (p *Proxy) relay(client net.Conn, in *bufio.Reader, server net.Conn) {
	end := func() { client.Close(); server.Close() }
	idle := newIdleWatch(p.opts.Clock, p.opts.IdleTimeout, end)
	defer idle.stop()
	up := &flow{dst: server, src: client, in: in, n: &p.counters.sent, idle: idle}
	down := &flow{dst: client, src: server, in: bufio.NewReader(server), n: &p.counters.received, idle: idle}
	var both sync.WaitGroup
	for _, f := range []*flow{up, down} {
		both.Go(func() { f.toEndOr(end) })
	}
	both.Wait()
}

// toEndOr copies until the end of src and tells dst; where that fails it calls
// end.
func (f *flow) toEndOr(end func()) {
	if f.toEnd() != nil || closeWrite(f.dst) != nil {
		end()
	}
}

// statusOf returns the status of "HTTP/1.1 200 OK", 0 where there is none.
func statusOf(line string) int {
	_, rest, _ := strings.Cut(line, " ")
	code, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.Atoi(code)
	return n
}

// closeWrite ends one direction of a connection; the other may go on.
func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}
