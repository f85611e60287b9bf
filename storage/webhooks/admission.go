package webhooks

import (
	"sync"

	"github.com/drover-go/drover/internal/jobs"
)

// ledger bounds the requests that are under way: all together, and those of a project to a
// host. A host that has not answered yet, or not the last time, gets one at a time, and
// such hosts together leave room for others, so that receivers that are dead delay
// nobody but themselves. It implements [jobs.Sharing].
type ledger struct {
	total, perHost int

	mu     sync.Mutex
	shares map[string]*load
	// busy are the requests under way of hosts in each state.
	busy [states]int
}

// state is what is known of a receiver.
type state uint8

const (
	unproven state = iota // nothing has been sent to it yet
	failing               // it did not answer the last time
	answers
	states
)

// load is what is under way of a share.
type load struct {
	state state
	busy  int
}

// maxShares is how many shares without a request are remembered.
const maxShares = 10_000

func newLedger(l Limits) *ledger {
	return &ledger{total: l.MaxConcurrent, perHost: l.PerHost, shares: map[string]*load{}}
}

// room is whether a request of a share may begin.
func (l *ledger) room(s *load) bool {
	all := l.busy[unproven] + l.busy[failing] + l.busy[answers]
	if all >= l.total {
		return false
	}
	switch s.state {
	case answers:
		return s.busy < l.perHost
	case failing:
		return s.busy < 1 && l.busy[failing] < max(1, l.total/4)
	}
	return s.busy < 1 && l.busy[failing]+l.busy[unproven] < max(1, l.total*3/4)
}

// Reserve implements [jobs.Admission].
func (l *ledger) Reserve(j jobs.Job) (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.share(j.Share)
	if !l.room(s) {
		return nil, jobs.ErrNoRoom
	}
	s.busy++
	l.busy[s.state]++
	return func() { l.release(j.Share) }, nil
}

// share is the load of a share; idle ones are forgotten once they are many.
func (l *ledger) share(name string) *load {
	if s := l.shares[name]; s != nil {
		return s
	}
	if len(l.shares) >= maxShares {
		for other, s := range l.shares {
			if s.busy == 0 {
				delete(l.shares, other)
			}
		}
	}
	s := &load{}
	l.shares[name] = s
	return s
}

func (l *ledger) release(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shares[name]
	s.busy--
	l.busy[s.state]--
}

// report notes whether a receiver has answered.
func (l *ledger) report(name string, answered bool) {
	next := failing
	if answered {
		next = answers
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.share(name)
	l.busy[s.state] -= s.busy
	s.state = next
	l.busy[s.state] += s.busy
}

// Await implements [jobs.Admission]. The queue asks again whenever a request has ended,
// and nobody else takes of the ledger.
func (l *ledger) Await(jobs.Job, func()) (leave func()) { return func() {} }

// Full implements [jobs.Sharing].
func (l *ledger) Full() (names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, s := range l.shares {
		if !l.room(s) {
			names = append(names, name)
		}
	}
	return names
}
