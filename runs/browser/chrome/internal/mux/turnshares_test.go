package mux

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// sharer are the pictures of a session that takes turns, and no more.
func sharer(t *testing.T, c clock.Clock) *Pictures {
	t.Helper()
	return NewPictures(waiting{clock: c}, Options{Clock: c})
}

// waiting is a session that only waits.
type waiting struct {
	Session // nil: what is not here is not called
	clock   clock.Clock
}

func (w waiting) Within(ctx context.Context, limit time.Duration, late error) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := w.clock.AfterFunc(limit, func() { cancel(late) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// takes is how many pictures of a size a session has at a time.
func takes(t *testing.T, room *Turns, s *Pictures, pixels int64) (n int) {
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		_, err := room.take(ctx, s, pixels)
		cancel()
		if err != nil {
			return n
		}
		n++
	}
}

// A session that holds all the turns it can leaves room for the pictures of
// others, huge ones aside.
func TestTurnsLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		held       int64
		times      int
		after      int64
		afterwards int // of another session
	}{
		{smallPicture, 3, smallPicture, 3},
		{1_000_000, 12, 1_000_000, 12},
		{maxDrawn, 1, 25_000_000, 1},
		{maxDrawn, 1, maxDrawn, 0},
		{maxDrawn, 1, smallPicture, 3},
		{25_000_000, 1, 25_000_000, 1},
	} {
		room, hostile, other := NewTurns(maxDrawn), sharer(t, clock.System()), sharer(t, clock.System())
		if n := takes(t, room, hostile, test.held); n != test.times {
			t.Errorf("a session takes %d pictures of %d pixels, want %d", n, test.held, test.times)
		}
		if n := takes(t, room, other, test.after); n != test.afterwards {
			t.Errorf("after pictures of %d pixels, another session takes %d of %d, want %d", test.held, n, test.after, test.afterwards)
		}
	}
}

// Several sessions with huge pictures in line keep nobody from large ones.
func TestHugePicturesInLineKeepNobody(t *testing.T) {
	t.Parallel()
	room := NewTurns(maxDrawn)
	done, err := room.take(t.Context(), sharer(t, clock.System()), maxDrawn)
	if err != nil {
		t.Fatal(err)
	}
	c := clock.NewManual(time.Now())
	second, got := sharer(t, c), make(chan error, 1)
	go func() {
		next, err := room.take(context.Background(), second, maxDrawn)
		if err == nil {
			next()
		}
		got <- err
	}()
	c.WaitForTimers(1) // it is in line, or all but
	if n := takes(t, room, sharer(t, clock.System()), 20_000_000); n != 1 {
		t.Errorf("%d large pictures beside the huge ones", n)
	}
	done()
	done() // which is nothing
	if err := <-got; err != nil {
		t.Errorf("the second huge picture: %v", err)
	}
}

// Who waits too long for a turn is told.
func TestTheWaitForATurnEnds(t *testing.T) {
	t.Parallel()
	for _, pixels := range []int64{smallPicture, maxDrawn} {
		c, room := clock.NewManual(time.Now()), NewTurns(maxDrawn)
		s, got := sharer(t, c), make(chan error, 1)
		takes(t, room, s, pixels)
		go func() {
			_, err := room.take(t.Context(), s, pixels)
			got <- err
		}()
		c.WaitForTimers(1)
		c.Advance(longestWait)
		if err := <-got; err != errNoTurn {
			t.Errorf("%d pixels: %v", pixels, err)
		}
	}
}
