package provider

import "sync"

// Learned are names that a provider has refused: optional fields of a request,
// say. The zero value is ready, and safe for use by several goroutines.
type Learned struct {
	mu      sync.Mutex
	refused map[string]bool
}

// Refuse notes a name; false if it was noted before.
func (l *Learned) Refuse(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused[name] {
		return false
	}
	if l.refused == nil {
		l.refused = map[string]bool{}
	}
	l.refused[name] = true
	return true
}

// Takes reports whether a name was not refused.
func (l *Learned) Takes(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.refused[name]
}
