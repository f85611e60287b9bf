package jobs

import (
	"sync"

	"github.com/drover-go/drover/internal/admission"
)

// Memory is the admission of jobs whose weights are bytes of memory. Others take of
// the same ledger, and jobs have their turn among them.
func Memory(l *admission.Ledger) Admission {
	return &memory{ledger: l, places: map[string]*admission.Place{}}
}

type memory struct {
	ledger *admission.Ledger
	mu     sync.Mutex
	places map[string]*admission.Place // by job
}

func (j Job) request() admission.Request {
	return admission.Request{Project: j.ProjectID, Bytes: j.Weight}
}

// Reserve implements [Admission].
func (m *memory) Reserve(j Job) (release func(), err error) {
	if g := m.take(j); g != nil {
		return g.Release, nil
	}
	g, err := m.ledger.TryReserve(j.request())
	if g == nil && err == nil {
		err = ErrNoRoom
	}
	return g.Release, err
}

// take takes what was found for the place of a job; nil for nothing yet.
func (m *memory) take(j Job) *admission.Grant {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.places[j.ID]; p != nil {
		return p.Take()
	}
	return nil
}

// Await implements [Admission].
func (m *memory) Await(j Job, wake func()) (leave func()) {
	deaf := m.ledger.OnFree(wake)
	p, err := m.ledger.Await(j.request(), wake)
	if err != nil { // Reserve says so when it is asked next
		wake()
		return deaf
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.places[j.ID] = p
	return func() {
		deaf()
		p.Leave()
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.places, j.ID)
	}
}
