// Package guard calls code that nobody vouches for: the handler of a function or of
// an Actor. What it does to its goroutine it does to none of the caller's.
package guard

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// Options of a call. Clock and Broken are required.
type Options[T any] struct {
	Clock clock.Clock
	// Grace is how long the call may go on once its context has ended.
	Grace time.Duration
	// Broken is what a call comes to that panicked, with the stack, or that ended its
	// goroutine: p is nil then.
	Broken func(p any, stack []byte) T
	// Left is told that a call goes on after its grace, Returned that it has returned
	// all the same. Default nobody is.
	Left, Returned func()
}

// Call calls f in a goroutine of its own, and returns what it comes to; false for a
// call that goes on although its context has ended and the grace is over.
func Call[T any](ctx context.Context, o Options[T], f func() T) (v T, ok bool) {
	done := make(chan T, 1)
	go func() {
		var v T
		finished := false
		defer func() {
			if !finished {
				v = o.Broken(recover(), debug.Stack())
			}
			done <- v
		}()
		v = f()
		finished = true
	}()
	select {
	case v := <-done:
		return v, true
	case <-ctx.Done():
	}
	grace := o.Clock.NewTimer(o.Grace)
	defer grace.Stop()
	select {
	case v := <-done:
		return v, true
	case <-grace.C():
	}
	o.leave(done)
	return v, false
}

// leave waits in the background for a call that is no longer of interest.
func (o Options[T]) leave(done <-chan T) {
	if o.Left != nil {
		o.Left()
	}
	go func() {
		<-done
		if o.Returned != nil {
			o.Returned()
		}
	}()
}
