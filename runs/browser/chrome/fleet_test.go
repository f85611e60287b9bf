package chrome

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// Who comes first is served first, however late it begins to wait; who waits for
// something else keeps nobody waiting.
func TestSlotsAreGivenByTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(1)
		first, second, third, fourth := s.turn(), s.turn(), s.turn(), s.turn()
		if s.wait(t.Context(), second) != nil || !s.full() { // the first has no process yet
			t.Fatal("a slot that is free is not given")
		}
		served := make(chan int64, 3)
		wait := func(turn int64) {
			go func() {
				if s.wait(t.Context(), turn) == nil {
					served <- turn
				}
			}()
			synctest.Wait()
		}
		wait(fourth)
		wait(first)
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := make(chan error, 1)
		go func() { gone <- s.wait(ctx, third) }()
		synctest.Wait()
		why := errors.New("enough")
		cancel(why)
		if err := <-gone; err != why {
			t.Errorf("who gives up: %v", err)
		}
		for _, want := range []int64{first, fourth} {
			s.give()
			if got := <-served; got != want {
				t.Errorf("turn %d is served, not %d", got, want)
			}
		}
		s.give()
		if s.full() {
			t.Error("the slot is lost")
		}
	})
}
