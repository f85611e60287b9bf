package telemetry

import "sync"

// Parents remember for work that waits which span it was asked for in. They
// forget the oldest when there are too many. The zero value is empty, and one of
// a process without a Tracer stays so.
type Parents struct {
	mu    sync.Mutex
	of    map[string]Parent
	order []string // ids, the oldest first; some of them are forgotten already
}

// maxParents is how many are remembered.
const maxParents = 10_000

// Keep remembers the parent of what has the id, unless it is none.
func (p *Parents) Keep(id string, parent Parent) {
	if parent == (Parent{}) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[string]Parent{}
	}
	if _, known := p.of[id]; !known {
		p.order = append(p.order, id)
	}
	p.of[id] = parent
	for len(p.order) > maxParents {
		delete(p.of, p.order[0])
		p.order = p.order[1:]
	}
}

// Take returns the parent, and forgets it.
func (p *Parents) Take(id string) Parent {
	p.mu.Lock()
	defer p.mu.Unlock()
	parent := p.of[id]
	delete(p.of, id)
	if len(p.of) == 0 {
		p.order = nil
	}
	return parent
}
