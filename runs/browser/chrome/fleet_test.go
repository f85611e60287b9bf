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

// ledgerFor is a ledger in which what is idle leaves when it is asked to.
func ledgerFor(limit int64) (m *memory, idle *[]*claim) {
	m, idle = &memory{limit: limit}, new([]*claim)
	m.reclaim = func() {
		for len(*idle) > 0 && m.short() > 0 {
			(*idle)[0].leave()
			*idle = (*idle)[1:]
		}
	}
	return m, idle
}

func TestTheLedgerOfMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, idle := ledgerFor(100)
		big, err := m.wait(t.Context(), 150)
		if err != nil || m.try(1) != nil {
			t.Fatalf("the only one is to have what it needs, and others nothing: %v", err)
		}
		big.release()
		big.release() // once is enough
		a, b := m.try(40), m.try(40)
		if a == nil || b == nil || m.try(21) != nil {
			t.Fatal("what is free is not given, or what is not free")
		}
		got := make(chan *claim, 2)
		for _, n := range []int64{50, 10} {
			go func() {
				c, err := m.wait(t.Context(), n)
				if err != nil {
					t.Error(err)
				}
				got <- c
			}()
			synctest.Wait()
		}
		if m.try(1) != nil {
			t.Error("one that came later is before those who wait")
		}
		more := m.take(5) // is never refused
		*idle = append(*idle, a, b)
		m.settle()
		if len(*idle) != 1 {
			t.Errorf("%d of two were left, where one is enough", len(*idle))
		}
		a.release()
		for range 2 {
			synctest.Wait()
			(<-got).release()
		}
		more.release()
		b.release()
		if m.held != 0 || m.leaving != 0 {
			t.Errorf("%d and %d bytes are lost", m.held, m.leaving)
		}
	})
}

// Who gives up lets the next one through.
func TestWaitingForMemoryEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, _ := ledgerFor(100)
		held := m.try(60)
		ctx, cancel := context.WithCancelCause(t.Context())
		why, first, second := errors.New("enough"), make(chan error, 1), make(chan *claim, 1)
		go func() { _, err := m.wait(ctx, 80); first <- err }()
		synctest.Wait()
		go func() { c, _ := m.wait(t.Context(), 40); second <- c }()
		synctest.Wait()
		cancel(why)
		if err := <-first; err != why {
			t.Errorf("who gives up: %v", err)
		}
		(<-second).release()
		held.release()
	})
}
