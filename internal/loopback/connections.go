package loopback

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// Connections are those of an endpoint that programs of strangers come through. A client
// has no more than Most; those that have not said yet whose they are wait in a line of
// MostUnknown, and the oldest goes where that is too long: who sends nothing keeps out
// nobody who does.
type Connections struct {
	Most, MostUnknown int

	mu      sync.Mutex
	known   map[net.Conn]*connection
	unknown *list.List // of *connection, the oldest first
}

// Client is who has connections. The zero value has none yet.
type Client struct {
	// Guarded by the connections of the endpoint.
	connections int
	gone        chan struct{} // closed when there is none; nil while nobody waits for that
}

// connection is one of them.
type connection struct {
	net.Conn
	waits    *list.Element // nil once it is known whose it is
	of       *Client       // nil before
	hijacked bool          // by the request that it serves
}

// The connections of a client, and those of an endpoint that have not said whose they
// are.
const (
	most        = 32
	mostUnknown = 512
)

// NewConnections returns those of an endpoint that has none yet.
func NewConnections() *Connections {
	return &Connections{Most: most, MostUnknown: mostUnknown, known: map[net.Conn]*connection{}, unknown: list.New()}
}

// Watch has a server tell of its connections.
func (c *Connections) Watch(s *http.Server) {
	s.ConnState = c.changed
	s.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, c.enter(conn))
	}
}

type connectionKey struct{}

// enter notes a new connection.
func (c *Connections) enter(conn net.Conn) *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := &connection{Conn: conn}
	c.known[conn] = one
	one.waits = c.unknown.PushBack(one)
	if c.unknown.Len() > c.MostUnknown {
		oldest := c.unknown.Front()
		c.unknown.Remove(oldest)
		oldest.Value.(*connection).Close() // it is told to have been closed then
	}
	return one
}

// changed hears of the ends of connections. One that is hijacked ends with its request.
func (c *Connections) changed(conn net.Conn, state http.ConnState) {
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
func (c *Connections) leave(one *connection) {
	delete(c.known, one.Conn)
	if of := one.of; of != nil {
		of.connections--
		if of.connections == 0 && of.gone != nil {
			close(of.gone)
			of.gone = nil
		}
		one.of = nil
	} else if one.waits != nil {
		c.unknown.Remove(one.waits)
	}
}

// Begin counts the connection of a request to a client, and reports whether that may
// have it. A connection stays with the client that it is for first. End ends the
// request.
func (c *Connections) Begin(r *http.Request, of *Client) (end func(), ok bool) {
	one, _ := r.Context().Value(connectionKey{}).(*connection)
	if one == nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.of == nil {
		if of.connections >= c.Most {
			return nil, false
		}
		c.unknown.Remove(one.waits)
		one.of, one.waits = of, nil
		of.connections++
	}
	return func() { c.end(one) }, one.of == of
}

// Gone returns what is closed once a client has no connection.
func (c *Connections) Gone(of *Client) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if of.connections == 0 {
		none := make(chan struct{})
		close(none)
		return none
	}
	if of.gone == nil {
		of.gone = make(chan struct{})
	}
	return of.gone
}

// Unknown is how many have not said whose they are.
func (c *Connections) Unknown() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unknown.Len()
}

// end ends a request.
func (c *Connections) end(one *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.hijacked {
		c.leave(one)
	}
}
