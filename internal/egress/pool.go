package egress

import (
	"cmp"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// Pool are the proxies that the host has configured, used in turn. One that
// could not be reached is left out for a while, unless all are. A nil Pool is an
// empty one. It is safe for concurrent use.
type Pool struct {
	opts      PoolOptions
	upstreams []*Upstream
	next      atomic.Uint64
	ill       []atomic.Int64 // by number; when the proxy is tried again, Unix ns; 0 where it is well
}

// PoolOptions are the settings of a pool.
type PoolOptions struct {
	// Attempts is how many proxies are tried for one connection. Default 3.
	Attempts int
	// Rest is how long a proxy that could not be reached is left out. Default
	// 30 s.
	Rest time.Duration
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
}

func (o PoolOptions) withDefaults() PoolOptions {
	o.Attempts = cmp.Or(o.Attempts, 3)
	o.Rest = cmp.Or(o.Rest, 30*time.Second)
	o.Clock = cmp.Or(o.Clock, clock.System())
	return o
}

// NewPool is NewPoolWith and the default options.
func NewPool(urls []string) (*Pool, error) { return NewPoolWith(urls, PoolOptions{}) }

// NewPoolWith reads the URLs of proxies; see [ParseUpstream]. Error kind:
// Invalid, about the field "Options.Proxies[i]", which never quotes a URL.
func NewPoolWith(urls []string, o PoolOptions) (*Pool, error) {
	p := &Pool{opts: o.withDefaults(), ill: make([]atomic.Int64, len(urls))}
	for i, raw := range urls {
		u, err := parseUpstream(raw)
		if err != nil {
			return nil, errtypes.Field(fmt.Sprintf("Options.Proxies[%d]", i), "%s", err)
		}
		u = u.OfHost()
		p.upstreams = append(p.upstreams, &u)
	}
	return p, nil
}

// Len returns how many proxies there are.
func (p *Pool) Len() int {
	if p == nil {
		return 0
	}
	return len(p.upstreams)
}

// Turn returns the number of the proxy whose turn it is, for who keeps
// something for each of them. The pool must not be empty.
func (p *Pool) Turn() int {
	first := int((p.next.Add(1) - 1) % uint64(len(p.upstreams)))
	if at, ok := p.wellFrom(first); ok {
		return at
	}
	return first
}

// Route sends every host through the proxy of this number, and no other; that
// it could not be reached is remembered.
func (p *Pool) Route(number int) Route {
	s := &seat{pool: p, fixed: true}
	s.at.Store(int64(number))
	return Route{Upstream: s.proxy(), seat: s}
}

// seat returns a place for one session; nil for an empty pool.
func (p *Pool) seat() *seat {
	if p.Len() == 0 {
		return nil
	}
	s := &seat{pool: p}
	s.at.Store(int64(p.Turn()))
	return s
}

// wellFrom returns the first proxy from this number on that is not left out.
func (p *Pool) wellFrom(number int) (at int, ok bool) {
	now := p.opts.Clock.Now().UnixNano()
	for i := range p.upstreams {
		at = (number + i) % len(p.upstreams)
		if p.ill[at].Load() <= now {
			return at, true
		}
	}
	return 0, false
}
