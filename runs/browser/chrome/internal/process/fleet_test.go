package process

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
		s := NewSlots(1)
		first, second, third, fourth := s.Turn(), s.Turn(), s.Turn(), s.Turn()
		if s.Wait(t.Context(), second) != nil || !s.Full() { // the first has no process yet
			t.Fatal("a slot that is free is not given")
		}
		served := make(chan int64, 3)
		wait := func(turn int64) {
			go func() {
				if s.Wait(t.Context(), turn) == nil {
					served <- turn
				}
			}()
			synctest.Wait()
		}
		wait(fourth)
		wait(first)
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := make(chan error, 1)
		go func() { gone <- s.Wait(ctx, third) }()
		synctest.Wait()
		why := errors.New("enough")
		cancel(why)
		if err := <-gone; err != why {
			t.Errorf("who gives up: %v", err)
		}
		for _, want := range []int64{first, fourth} {
			s.Give()
			if got := <-served; got != want {
				t.Errorf("turn %d is served, not %d", got, want)
			}
		}
		s.Give()
		if s.Full() {
			t.Error("the slot is lost")
		}
	})
}
