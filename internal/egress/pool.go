package egress

import (
	"cmp"
	"fmt"
	"sync"
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
	places    []Place        // by number
	turns     sync.Map       // by the place that is asked for: a *atomic.Uint64, which counts
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

// NewPoolWith reads the URLs of proxies; see [ParseUpstream]. Behind a URL may
// stand where the proxy leads out: "#country=US&state=NY&city=New York". Error kind:
// Invalid, about the field "Options.Proxies[i]", which never quotes a URL.
func NewPoolWith(urls []string, o PoolOptions) (*Pool, error) {
	p := &Pool{opts: o.withDefaults(), ill: make([]atomic.Int64, len(urls))}
	for i, raw := range urls {
		raw, place, err := cutPlace(raw)
		var u Upstream
		if err == nil {
			u, err = parseUpstream(raw)
		}
		if err != nil {
			return nil, errtypes.Field(fmt.Sprintf("Options.Proxies[%d]", i), "%s", err)
		}
		u = u.OfHost()
		p.upstreams, p.places = append(p.upstreams, &u), append(p.places, place)
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

// Aside is a pool of the same proxies with turns of its own, for who only looks
// whether something could be done.
func (p *Pool) Aside() *Pool {
	if p == nil {
		return nil
	}
	return &Pool{opts: p.opts, upstreams: p.upstreams, places: p.places, ill: p.ill}
}

// Turn returns the number of the proxy whose turn it is, for who keeps
// something for each of them. The pool must not be empty.
func (p *Pool) Turn() int {
	all := p.at(Place{})
	return all[p.turn(Place{}, all)]
}

// turn returns whose turn it is among those at a place, which are some.
func (p *Pool) turn(asked Place, among []int) int {
	count, _ := p.turns.LoadOrStore(asked.folded(), new(atomic.Uint64))
	first := int((count.(*atomic.Uint64).Add(1) - 1) % uint64(len(among)))
	if at, ok := p.wellFrom(among, first); ok {
		return at
	}
	return first
}

// Route sends every host through the proxy of this number, and no other; that
// it could not be reached is remembered.
func (p *Pool) Route(number int) Route {
	s := &seat{pool: p, among: p.at(Place{}), fixed: true}
	s.at.Store(int64(number))
	return Route{Upstream: s.proxy(), seat: s}
}

// seat returns a place for one session among the proxies that are where it asks
// for; nil where none is.
func (p *Pool) seat(asked Place) *seat {
	if !p.Has(asked) {
		return nil
	}
	s := &seat{pool: p, among: p.at(asked)}
	s.at.Store(int64(p.turn(asked, s.among)))
	return s
}

// wellFrom returns the first of some proxies from this one on that is not left
// out.
func (p *Pool) wellFrom(among []int, from int) (at int, ok bool) {
	now := p.opts.Clock.Now().UnixNano()
	for i := range among {
		at = (from + i) % len(among)
		if p.ill[among[at]].Load() <= now {
			return at, true
		}
	}
	return 0, false
}
