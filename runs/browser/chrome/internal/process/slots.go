package process

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Slots are the rights to have a session open, one for each; sessions of all
// kinds and projects share them. Spares have none. Whoever needs one draws a
// Turn when it comes, and begins to wait when it has a process: then it is before
// all that came later, and who waits for a process keeps nobody waiting.
type Slots struct {
	max int

	mu      sync.Mutex
	taken   int
	turns   int64       // drawn so far
	waiting []*wantSlot // by their turns
}

type wantSlot struct {
	turn int64
	got  chan struct{} // closed when it has one
}

// NewSlots returns so many.
func NewSlots(n int) *Slots { return &Slots{max: n} }

// Turn is a place in the order of those who wait.
func (s *Slots) Turn() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns++
	return s.turns
}

// Full reports whether who comes now would have to wait.
func (s *Slots) Full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken >= s.max
}

// Wait takes a slot as soon as one is free. The lowest turn comes first.
func (s *Slots) Wait(ctx context.Context, turn int64) error {
	w := s.ask(turn)
	select {
	case <-w.got:
		return nil
	case <-ctx.Done():
		if s.withdraw(w) {
			return context.Cause(ctx)
		}
		return nil
	}
}

func (s *Slots) ask(turn int64) *wantSlot {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &wantSlot{turn, make(chan struct{})}
	if s.taken < s.max {
		s.taken++
		close(w.got)
		return w
	}
	at, _ := slices.BinarySearchFunc(s.waiting, turn, func(w *wantSlot, turn int64) int { return cmp.Compare(w.turn, turn) })
	s.waiting = slices.Insert(s.waiting, at, w)
	return w
}

// withdraw reports false when the slot has been given already.
func (s *Slots) withdraw(w *wantSlot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, w)
	if i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	return i >= 0
}

// Give hands a slot on to who waits first.
func (s *Slots) Give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.taken--
		return
	}
	close(s.waiting[0].got)
	s.waiting = slices.Delete(s.waiting, 0, 1)
}
