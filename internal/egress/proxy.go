package egress

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/drover-go/drover/errtypes"
)

type counters struct {
	sent, received, requests, refused, failed, turnedAway, intercepted atomic.Int64
}

// Proxy is a forward proxy for one browser session. It listens on a random
// port of 127.0.0.1 and takes CONNECT and plain http requests; every target
// passes the gate, as the policy says: see [Proxy.Use]. A request that is
// refused is answered 403 with the header X-Drover-Refused, one whose server
// fails 502, or not at all: see [ProxyOptions]. No answer tells where a proxy
// behind this one is.
//
// It looks into nothing but the heads of plain http requests and responses:
// what a browser tunnels it relays as it comes. Only where the policy has TLS
// material, and a server can be reached with it alone, does the proxy speak TLS
// to that server in the browser's place; see [LeafKeyHash]. Connections of clients stay open
// for further plain requests, and each has at most one connection to a server,
// which stays open while the requests are for the same target; each request is
// judged. A message of which it cannot be told beyond doubt where it ends is not
// passed on, and its connections end.
type Proxy struct {
	gate     *Gate
	dialer   atomic.Pointer[Dialer]
	opts     ProxyOptions
	listener net.Listener
	ctx      context.Context
	cancel   context.CancelCauseFunc
	counters counters
	checkUID bool

	wg     sync.WaitGroup
	mu     sync.Mutex
	conns  map[net.Conn]struct{} // open ones, of clients and to servers; nil once closed
	links  map[*link]struct{}    // connections to servers that may be used again
	active int                   // clients being served
}

// NewProxy starts a proxy. Close ends it.
func NewProxy(gate *Gate, o ProxyOptions) (*Proxy, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("egress: start a proxy: %w", err)
	}
	p := &Proxy{gate: gate, opts: o.withDefaults(), listener: l, conns: map[net.Conn]struct{}{}, links: map[*link]struct{}{}}
	p.Use(Policy{})
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	p.checkUID = !o.AllowOtherUsers && knowsCallers()
	p.wg.Go(p.accept)
	return p, nil
}

// Use makes new requests follow the policy, from now on; requests and tunnels
// that are under way stay, connections that wait for a next request are closed.
// Before, everything goes directly. What is no allowed domain in the policy
// allows nothing: see [Policy.Validate].
func (p *Proxy) Use(policy Policy) {
	p.dialer.Store(p.gate.Dialer(policy))
	p.mu.Lock()
	links := slices.Collect(maps.Keys(p.links))
	p.mu.Unlock()
	for _, l := range links {
		l.retire()
	}
}

// Addr returns the address that the proxy listens on.
func (p *Proxy) Addr() netip.AddrPort { return p.listener.Addr().(*net.TCPAddr).AddrPort() }

// URL returns the proxy's address as "http://127.0.0.1:port".
func (p *Proxy) URL() string { return "http://" + p.Addr().String() }

// Stats returns the counts so far. They stay readable after Close.
func (p *Proxy) Stats() ProxyStats {
	c := &p.counters
	return ProxyStats{
		Sent: c.sent.Load(), Received: c.received.Load(),
		Requests: c.requests.Load(), Refused: c.refused.Load(), Failed: c.failed.Load(),
		TurnedAway: c.turnedAway.Load(), Intercepted: c.intercepted.Load(),
	}
}

var errProxyClosed = errtypes.New(errtypes.Unavailable, "the session's proxy is closed")

// Close stops listening, closes every connection and waits until nothing of
// the proxy runs. It is idempotent.
func (p *Proxy) Close() error {
	p.cancel(errProxyClosed)
	p.listener.Close()
	p.mu.Lock()
	open := p.conns
	p.conns = nil
	p.mu.Unlock()
	for c := range open {
		c.Close()
	}
	p.wg.Wait()
	return nil
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // out of file descriptors, or the client is gone already
			if !p.pause() {
				return
			}
		case !p.admit(conn):
			p.counters.turnedAway.Add(1)
			conn.Close()
		default:
			p.wg.Go(func() { p.serve(conn) })
		}
	}
}

// acceptPause is how long accept rests after an error.
const acceptPause = 10 * time.Millisecond

func (p *Proxy) pause() bool {
	timer := p.opts.Clock.NewTimer(acceptPause)
	defer timer.Stop()
	select {
	case <-timer.C():
		return true
	case <-p.ctx.Done():
		return false
	}
}

// admit takes a client in, unless there are too many or the proxy is closed.
func (p *Proxy) admit(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns == nil || p.active >= p.opts.MaxConns {
		return false
	}
	p.conns[conn] = struct{}{}
	p.active++
	return true
}

// track remembers a connection to a server, so that Close finds it; false when
// the proxy is closed.
func (p *Proxy) track(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns == nil {
		return false
	}
	p.conns[conn] = struct{}{}
	return true
}

func (p *Proxy) drop(conn net.Conn) {
	conn.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
}
