package egress

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// link is a client's connection to a server, or to a proxy that takes requests
// as they are. Its goroutine reads from it, also while nothing is asked: who
// sends then, or hangs up, loses the connection.
type link struct {
	c    *client
	conn net.Conn
	out  *bufio.Reader
	way  way
	done chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex
	x       *exchange // under way; nil: none
	uses    int
	retired bool // good for no further exchange
}

// exchange is one request and its response.
type exchange struct {
	c       *client
	req     *request
	read    atomic.Bool // the request has been read to its end
	outcome chan outcome
}

// outcome is what becomes of a client's connection after a response.
type outcome int

const (
	outcomeKeep outcome = iota
	outcomeClose
	outcomeSwitched // to another protocol
)

// newLink returns a link on which an exchange is under way.
func newLink(c *client, conn net.Conn, w way, x *exchange) *link {
	l := &link{c: c, conn: conn, out: bufio.NewReaderSize(conn, linkBuffer), way: w, done: make(chan struct{}), x: x, uses: 1}
	c.p.mu.Lock()
	c.p.links[l] = struct{}{}
	c.p.mu.Unlock()
	go l.run()
	return l
}

// linkBuffer holds the heads of responses, and the whole of small ones.
const linkBuffer = 32 << 10

// close closes the connection and waits for the goroutine.
func (l *link) close() {
	l.c.p.drop(l.conn)
	<-l.done
	l.c.p.mu.Lock()
	defer l.c.p.mu.Unlock()
	delete(l.c.p.links, l)
}

// reuse begins an exchange if the link is good for it, and leads to where a new
// one would.
func (l *link) reuse(x *exchange, w way) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.retired || l.way != w || !l.free() {
		return false
	}
	l.x = x
	l.uses++
	return true
}

// free reports whether the gate would still connect to where the link leads.
func (l *link) free() bool {
	addr, ok := l.conn.RemoteAddr().(*net.TCPAddr)
	return l.way.hop.up != nil || ok && l.way.dialer.gate.CheckAddr(addr.AddrPort().Addr()) == nil
}

// retire lets the link end after what is under way.
func (l *link) retire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retired = true
	if l.x == nil {
		l.conn.Close()
	}
}

// send sends the request. A writeError is the server's.
func (l *link) send(x *exchange) error {
	f := l.flow(true)
	head := x.req.head(l.way.via())
	f.n.Add(int64(len(head)))
	return f.message(head, x.req.body, func() { x.read.Store(true) })
}

// flow is one direction of the link.
func (l *link) flow(up bool) *flow {
	c := l.c
	if up {
		return &flow{dst: l.conn, src: c.conn, in: c.in, n: &c.p.counters.sent, idle: c.idle, inProcess: true}
	}
	return &flow{dst: c.conn, src: l.conn, in: l.out, n: &c.p.counters.received, idle: c.idle}
}

// run passes responses on until the connection ends.
func (l *link) run() {
	defer close(l.done)
	for {
		_, err := l.out.Peek(1)
		x := l.underWay()
		if x == nil {
			l.conn.Close()
			return
		}
		if err != nil && l.stale() {
			l.c.end() // as the server did: the client asks again on a new connection
			l.finish(x)
			return
		}
		if !l.answer(x) {
			return
		}
	}
}

// underWay returns the exchange that what has come belongs to. Where there is
// none, there will be none.
func (l *link) underWay() *exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retired = l.retired || l.x == nil
	return l.x
}

// over ends an exchange; kept says that the connection may serve another.
func (l *link) over(x *exchange, keep bool, o outcome) (kept bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.x = nil
	l.retired = l.retired || !keep || l.out.Buffered() > 0
	if l.retired {
		l.conn.Close()
	}
	x.outcome <- o
	return !l.retired
}

// finish ends an exchange and both connections; the client is told by the end
// of its own, and has a moment to see it.
func (l *link) finish(x *exchange) (kept bool) {
	closeWrite(l.c.conn)
	l.c.conn.SetReadDeadline(time.Now().Add(lingerTimeout))
	return l.over(x, false, outcomeClose)
}

// answer passes interim responses and the final one on.
func (l *link) answer(x *exchange) (kept bool) {
	for {
		head, err := readHead(l.out, l.c.p.opts.MaxHeadBytes)
		l.c.p.counters.received.Add(int64(len(head)))
		var resp *response
		if err == nil {
			resp, err = readResponse(head, x.req)
		}
		switch {
		case err != nil:
			return l.unreadable(x, err)
		case !resp.interim():
			return l.pass(x, resp)
		}
		if l.flow(false).write(resp.head(true)) != nil {
			l.c.end()
			return l.finish(x)
		}
	}
}

// stale reports whether the connection has served before, so that its end may
// have crossed with the request.
func (l *link) stale() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.uses > 1
}

// unreadable answers for a server whose response cannot be read.
func (l *link) unreadable(x *exchange, err error) (kept bool) {
	if !l.c.hasEnded() {
		l.c.p.failed(x.req.target, err)
		l.c.p.answerFailed(l.c.conn, x.req, x.req.target+" sent no response that can be read")
	}
	return l.finish(x)
}

// pass passes the final response on. The refusal of a proxy behind this one is
// answered for it: it is no business of the page.
func (l *link) pass(x *exchange, resp *response) (kept bool) {
	via := l.way.via()
	switch {
	case via != nil && resp.status == http.StatusProxyAuthRequired:
		l.c.p.answerFailure(l.c.conn, x.req, via.refusal(resp.status))
		return l.finish(x)
	case resp.status == http.StatusSwitchingProtocols:
		return l.change(x, resp)
	}
	keep := x.req.keep && x.read.Load() && resp.body.kind != bodyToEnd
	switch err := l.flow(false).message(resp.head(keep), resp.body, func() {}); {
	case errors.Is(err, errNoEnd): // which the client sees by the end of its own connection
		return l.finish(x)
	case err != nil && resp.body.kind == bodyToEnd:
		l.c.reset()
		return l.finish(x)
	case err != nil:
		l.c.end()
		return l.finish(x)
	case !keep:
		return l.finish(x)
	}
	return l.over(x, resp.keep, outcomeKeep)
}

// change passes on what comes after a change of protocol.
func (l *link) change(x *exchange, resp *response) (kept bool) {
	down := l.flow(false)
	if down.write(resp.head(false)) != nil {
		l.c.end()
		return l.finish(x)
	}
	x.outcome <- outcomeSwitched
	down.toEndOr(l.c.end)
	return false
}

// switched is the client's side of it; next is what reading from the client
// met.
func (l *link) switched(next error) {
	if next == nil {
		up := l.flow(true)
		up.toEndOr(l.c.end)
	}
	<-l.done
}
