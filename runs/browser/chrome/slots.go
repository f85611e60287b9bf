package chrome

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// slots are the rights to have a session open, one for each; sessions of all
// kinds share them. Spares have none, but are only kept where some are free.
type slots struct {
	free  *semaphore.Weighted
	taken atomic.Int64
}

func newSlots(n int) *slots { return &slots{free: semaphore.NewWeighted(int64(n))} }

func (s *slots) try() bool {
	ok := s.free.TryAcquire(1)
	if ok {
		s.taken.Add(1)
	}
	return ok
}

// wait takes a slot as soon as one is free. Who waits longest comes first.
func (s *slots) wait(ctx context.Context) error {
	err := s.free.Acquire(ctx, 1)
	if err == nil {
		s.taken.Add(1)
	}
	return err
}

func (s *slots) give() {
	s.taken.Add(-1)
	s.free.Release(1)
}
