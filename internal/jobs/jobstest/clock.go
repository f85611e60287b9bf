package jobstest

import (
	"runtime"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// stepClock is a manual clock for one queue that can be moved in step with
// the queue's loop, because it knows when the loop has gone to sleep.
type stepClock struct {
	*clock.Manual
	mu    sync.Mutex
	due   time.Time // of the loop's timer; zero while it is stopped
	wrong time.Duration
	armed chan struct{}
}

func newStepClock() *stepClock {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &stepClock{Manual: clock.NewManual(start), armed: make(chan struct{}, 1)}
}

// Now is what the clock shows, which timers know nothing of.
func (c *stepClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Manual.Now().Add(c.wrong)
}

// set sets the hands forward or back.
func (c *stepClock) set(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong += by
}

func (c *stepClock) NewTimer(d time.Duration) clock.Timer { return stepTimer{c.Manual.NewTimer(d), c} }

type stepTimer struct {
	clock.Timer
	clock *stepClock
}

func (t stepTimer) Reset(d time.Duration) bool {
	defer t.clock.note(t.clock.Manual.Now().Add(d))
	return t.Timer.Reset(d)
}

func (t stepTimer) Stop() bool {
	defer t.clock.note(time.Time{})
	return t.Timer.Stop()
}

func (c *stepClock) note(due time.Time) {
	c.mu.Lock()
	c.due = due
	c.mu.Unlock()
	select {
	case c.armed <- struct{}{}:
	default:
	}
}

// step moves the clock, and waits until the loop has seen to what fell due.
func (c *stepClock) step(d time.Duration) {
	for len(c.armed) > 0 {
		<-c.armed
	}
	c.mu.Lock()
	fires := !c.due.IsZero() && !c.due.After(c.Manual.Now().Add(d))
	c.mu.Unlock()
	c.Advance(d)
	if fires {
		<-c.armed
	}
	runtime.Gosched()
}

// until moves the clock step by step until something arrives.
func until[T any](c *stepClock, arrives <-chan T, step time.Duration) T {
	for {
		select {
		case one := <-arrives:
			return one
		default:
			c.step(step)
		}
	}
}
