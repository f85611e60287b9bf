package provider

import "sync"

// maxLearned is how many things are remembered; then all are forgotten, and
// refused once more.
const maxLearned = 10_000

// Learned are things that a provider has refused: optional fields of a request,
// say. The zero value is ready, and safe for use by several goroutines.
type Learned[K comparable] struct {
	mu      sync.Mutex
	refused map[K]bool
}

// Refuse notes a thing; false if it was noted before.
func (l *Learned[K]) Refuse(thing K) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused[thing] {
		return false
	}
	if l.refused == nil || len(l.refused) >= maxLearned {
		l.refused = map[K]bool{}
	}
	l.refused[thing] = true
	return true
}

// Takes reports whether a thing was not refused.
func (l *Learned[K]) Takes(thing K) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.refused[thing]
}
