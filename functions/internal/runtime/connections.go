package runtime

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// connections are those of an endpoint. A channel has no more than a few; those that
// have not said yet whose they are wait in a line, and the oldest goes where that is
// too long: who sends nothing keeps out nobody who does.
type connections struct {
	most, mostUnknown int

	mu      sync.Mutex
	known   map[net.Conn]*connection
	unknown *list.List // of *connection, the oldest first
}

// connection is one of them.
type connection struct {
	net.Conn
	waits    *list.Element // nil once it is known whose it is
	of       *Channel      // nil before
	hijacked bool          // by the request that it serves
}

// most is how many connections a channel has, and mostUnknown how many of an endpoint
// have not said whose they are.
const (
	most        = 32
	mostUnknown = 512
)

func newConnections() *connections {
	return &connections{most: most, mostUnknown: mostUnknown, known: map[net.Conn]*connection{}, unknown: list.New()}
}

// watch has a server tell of its connections.
func (c *connections) watch(s *http.Server) {
	s.ConnState = c.changed
	s.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, c.enter(conn))
	}
}

type connectionKey struct{}

// enter notes a new connection.
func (c *connections) enter(conn net.Conn) *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := &connection{Conn: conn}
	c.known[conn] = one
	one.waits = c.unknown.PushBack(one)
	if c.unknown.Len() > c.mostUnknown {
		oldest := c.unknown.Front()
		c.unknown.Remove(oldest)
		oldest.Value.(*connection).Close() // it is told to have been closed then
	}
	return one
}

// changed hears of the ends of connections. One that is hijacked ends with its request.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.known[conn]
	switch {
	case one == nil:
	case state == http.StateHijacked:
		one.hijacked = true
	case state == http.StateClosed:
		c.leave(one)
	}
}

// leave forgets a connection. The lock is held.
func (c *connections) leave(one *connection) {
	delete(c.known, one.Conn)
	if one.of != nil {
		one.of.connections--
		one.of = nil
	} else if one.waits != nil {
		c.unknown.Remove(one.waits)
	}
}

// begin counts the connection of a request to a channel, and reports whether that may
// have it. A connection stays with the channel that it is for first.
func (c *connections) begin(r *http.Request, ch *Channel) (end func(), ok bool) {
	one, _ := r.Context().Value(connectionKey{}).(*connection)
	if one == nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.of == nil {
		if ch.connections >= c.most {
			return nil, false
		}
		c.unknown.Remove(one.waits)
		one.of, one.waits = ch, nil
		ch.connections++
	}
	return func() { c.end(one) }, one.of == ch
}

// end ends a request.
func (c *connections) end(one *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.hijacked {
		c.leave(one)
	}
}
