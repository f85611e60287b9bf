package mux

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// sharer are the pictures of a session that takes turns, and no more.
func sharer() *Pictures { return NewPictures(waiting{}, Options{}) }

// waiting is a session that only waits.
type waiting struct{ Session } // nil: what is not here is not called

func (waiting) Within(ctx context.Context, limit time.Duration, late error) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(late) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// takes is how many pictures of a size a session has at a time. Time passes when
// it waits for one more.
func takes(t *testing.T, room *Turns, s *Pictures, pixels int64) (n int) {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
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
		synctest.Test(t, func(t *testing.T) {
			room, hostile, other := NewTurns(maxDrawn), sharer(), sharer()
			if n := takes(t, room, hostile, test.held); n != test.times {
				t.Errorf("a session takes %d pictures of %d pixels, want %d", n, test.held, test.times)
			}
			if n := takes(t, room, other, test.after); n != test.afterwards {
				t.Errorf("after pictures of %d pixels, another session takes %d of %d, want %d", test.held, n, test.after, test.afterwards)
			}
		})
	}
}

// Several sessions with huge pictures in line keep nobody from large ones.
func TestHugePicturesInLineKeepNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		room := NewTurns(maxDrawn)
		done, err := room.take(t.Context(), sharer(), maxDrawn)
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan error, 1)
		go func() {
			next, err := room.take(context.Background(), sharer(), maxDrawn)
			if err == nil {
				next()
			}
			got <- err
		}()
		synctest.Wait() // it is in line
		if n := takes(t, room, sharer(), 20_000_000); n != 1 {
			t.Errorf("%d large pictures beside the huge ones", n)
		}
		done()
		done() // which is nothing
		if err := <-got; err != nil {
			t.Errorf("the second huge picture: %v", err)
		}
	})
}

// Who waits too long for a turn is told.
func TestTheWaitForATurnEnds(t *testing.T) {
	t.Parallel()
	for _, pixels := range []int64{smallPicture, maxDrawn} {
		synctest.Test(t, func(t *testing.T) {
			room, s := NewTurns(maxDrawn), sharer()
			takes(t, room, s, pixels)
			if _, err := room.take(t.Context(), s, pixels); err != errNoTurn {
				t.Errorf("%d pixels: %v", pixels, err)
			}
		})
	}
}
