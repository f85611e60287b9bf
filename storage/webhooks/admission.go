package webhooks

import (
	"maps"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/jobs"
)

// ledger bounds the requests that are under way: all together, those of a project, and
// those of a project to a host. A host that has not answered yet, or not the last time, gets one at a time, and
// such hosts together leave room for others, so that receivers that are dead delay
// nobody but themselves. A project leaves room for others in the same way, however many hosts
// it sends to. It implements [jobs.Sharing].
type ledger struct {
	total, perHost int

	mu       sync.Mutex
	shares   map[string]*load
	projects map[string]*requests
	busy     requests
}

// requests are how many are under way to hosts in each state.
type requests [states]int

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
	state   state
	busy    int
	project *requests
}

// maxShares is how many shares without a request are remembered.
const maxShares = 10_000

func newLedger(l Limits) *ledger {
	return &ledger{total: l.MaxConcurrent, perHost: l.PerHost, shares: map[string]*load{}, projects: map[string]*requests{}}
}

// room is whether a request of a share may begin.
func (l *ledger) room(s *load) bool {
	most := 1
	if s.state == answers {
		most = l.perHost
	}
	return s.busy < most && l.busy.leave(l.total, s.state) && s.project.leave(max(1, l.total*3/4), s.state)
}

// leave is whether requests leave room, of so many, for one to a host in a state.
func (r *requests) leave(total int, s state) bool {
	switch {
	case r[unproven]+r[failing]+r[answers] >= total:
		return false
	case s == answers:
		return true
	case s == failing:
		return r[failing] < max(1, total/4)
	}
	return r[failing]+r[unproven] < max(1, total*3/4)
}

// add counts requests of a share that have begun, or ended where n is below 0.
func (l *ledger) add(s *load, n int) {
	s.busy += n
	l.busy[s.state] += n
	s.project[s.state] += n
}

// Reserve implements [jobs.Admission].
func (l *ledger) Reserve(j jobs.Job) (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.share(j.Share)
	if !l.room(s) {
		return nil, jobs.ErrNoRoom
	}
	l.add(s, 1)
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
		maps.DeleteFunc(l.projects, func(_ string, r *requests) bool { return *r == requests{} }) // no share is left of these
	}
	project, _, _ := strings.Cut(name, " ")
	if l.projects[project] == nil {
		l.projects[project] = &requests{}
	}
	s := &load{project: l.projects[project]}
	l.shares[name] = s
	return s
}

func (l *ledger) release(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(l.shares[name], -1)
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
	busy := s.busy
	l.add(s, -busy)
	s.state = next
	l.add(s, busy)
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
