package egress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// ProxyOptions are the settings of a proxy.
type ProxyOptions struct {
	// MaxConns is how many connections a proxy serves at once; more are closed
	// as they come. Default 256, which is what Chromium opens at most to
	// websockets, and eight times what it opens to a proxy.
	MaxConns int
	// MaxHeadBytes bounds the head of a request and of a response. A longer one
	// is answered 431, or 502. Default 256 KB.
	MaxHeadBytes int
	// HeadTimeout is how long a client may take from connecting to the end of
	// its request's head. Default 60 s.
	HeadTimeout time.Duration
	// IdleTimeout ends a connection on which no byte went either way for so
	// long. Default 5 min.
	IdleTimeout time.Duration
	// OnRefused is called for each request that the gate or the policy refused,
	// before the client is told; calls may overlap. Default none.
	OnRefused func(Refusal)
	// OnFailed is called in the same way for each request whose server could
	// not be reached; err is that of [Dialer.DialContext]. Default none.
	OnFailed func(target string, err error)
	// AllowOtherUsers serves processes of other users of this machine too. By
	// default they are turned away where the system tells who is calling
	// (Linux); elsewhere every local process may use the proxy, which then
	// gives it no more than its own access to the internet.
	AllowOtherUsers bool
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
	// Logger gets a line for each failed request. Default discards.
	Logger *slog.Logger
}

// Refusal is a request that the gate or the policy refused.
type Refusal struct {
	// Target is the "host:port" that the client asked for.
	Target string
	// Err says why; it is a *RefusedError or a *BlockedError.
	Err error
}

func (o ProxyOptions) withDefaults() ProxyOptions {
	o.MaxConns = cmp.Or(o.MaxConns, 256)
	o.MaxHeadBytes = cmp.Or(o.MaxHeadBytes, 256<<10)
	o.HeadTimeout = cmp.Or(o.HeadTimeout, time.Minute)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 5*time.Minute)
	o.Clock = cmp.Or(o.Clock, clock.System())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.OnRefused == nil {
		o.OnRefused = func(Refusal) {}
	}
	if o.OnFailed == nil {
		o.OnFailed = func(string, error) {}
	}
	return o
}

// ProxyStats counts what a proxy did.
type ProxyStats struct {
	// Sent and Received are the bytes that went to servers and came from them, on
	// whatever way, without what it took to be let through by a proxy.
	Sent, Received int64
	// Requests are all that were understood, Refused those that the gate or the
	// policy refused, Failed those whose server could not be reached.
	Requests, Refused, Failed int64
	// TurnedAway are connections over the limit or of another user.
	TurnedAway int64
}

type counters struct {
	sent, received, requests, refused, failed, turnedAway atomic.Int64
}

// Proxy is a forward proxy for one browser session. It listens on a random
// port of 127.0.0.1 and takes CONNECT and plain http requests; every target
// passes the gate, as the policy says: see [Proxy.Use]. A request that is
// refused is answered 403 with the header X-Drover-Refused, one whose server
// fails 502.
//
// It looks into nothing but the heads of plain http requests and responses:
// what a browser tunnels it relays as it comes. Each plain request has a
// connection of its own.
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
	active int                   // clients being served
}

// NewProxy starts a proxy. Close ends it.
func NewProxy(gate *Gate, o ProxyOptions) (*Proxy, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("egress: start a proxy: %w", err)
	}
	p := &Proxy{gate: gate, opts: o.withDefaults(), listener: l, conns: map[net.Conn]struct{}{}}
	p.Use(Policy{})
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	p.checkUID = !o.AllowOtherUsers && knowsCallers()
	p.wg.Go(p.accept)
	return p, nil
}

// Use makes new connections follow the policy, from now on; those that stand
// stay. Before, everything goes directly. What is no allowed domain in the
// policy allows nothing: see [Policy.Validate].
func (p *Proxy) Use(policy Policy) { p.dialer.Store(p.gate.Dialer(policy)) }

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
		TurnedAway: c.turnedAway.Load(),
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
