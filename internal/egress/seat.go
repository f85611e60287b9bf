package egress

import (
	"errors"
	"slices"
	"sync/atomic"
)

// A seat is the place of one session in a pool: it goes through the same proxy,
// since sites take a change of address for a theft of the session, until that
// one cannot be reached.
type seat struct {
	pool  *Pool
	among []int        // the numbers of the proxies that will do
	at    atomic.Int64 // which of them
	fixed bool         // stays where it is
}

func (s *seat) proxy() *Upstream { return s.pool.upstreams[s.among[s.at.Load()]] }

// leave notes that a proxy cannot be reached, and goes on to the next that can,
// as far as is known; ok says that there is one.
func (s *seat) leave(up *Upstream) (ok bool) {
	left := slices.IndexFunc(s.among, func(number int) bool { return s.pool.upstreams[number] == up })
	if left < 0 {
		return false
	}
	s.pool.ill[s.among[left]].Store(s.pool.opts.Clock.Now().Add(s.pool.opts.Rest).UnixNano())
	next, ok := s.pool.wellFrom(s.among, left+1)
	if ok && !s.fixed {
		s.at.CompareAndSwap(int64(left), int64(next)) // who else has failed there has moved it
	}
	return ok
}

// A hop is what a connection goes through: the zero one leads to the server
// itself. Connections of the same hop may be shared.
type hop struct {
	up   *Upstream
	seat *seat // up's; nil where there is no other
}

// proxy returns the proxy of the route as it is now; nil for none.
func (r Route) proxy() *Upstream {
	if r.seat != nil {
		return r.seat.proxy()
	}
	return r.Upstream
}

// all returns the proxies that the route may ever lead through.
func (r Route) all() []*Upstream {
	if r.seat != nil {
		return r.seat.pool.upstreams
	}
	return []*Upstream{r.Upstream}
}

// told has the pool remember how reaching a proxy went, and returns err, which
// then says whether another is worth a try.
func (h hop) told(err error) error {
	failure, ok := errors.AsType[*upstreamFailure](err)
	if ok && failure.unreached && h.seat != nil && h.seat.leave(h.up) {
		failure.others = h.seat.pool
	}
	return err
}

// TryNext reports whether err says that a proxy of a pool could not be reached,
// and that the pool has another to try after so many.
func TryNext(err error, tried int) bool {
	failure, ok := errors.AsType[*upstreamFailure](err)
	return ok && failure.others != nil && tried < failure.others.opts.Attempts
}
