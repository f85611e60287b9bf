// Package clock is the one source of time: the root hands a [Clock] down to
// everything that waits or stamps, so that a test can stand at the hands.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time and wakes who waits for it.
type Clock interface {
	// Now returns the current time, with a monotonic reading where there is one.
	Now() time.Time
	// NewTimer returns a timer that sends the time on its channel once after d.
	NewTimer(d time.Duration) Timer
	// AfterFunc runs f in its own goroutine after d. The timer's channel is nil.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is what [time.Timer] offers, behind an interface.
type Timer interface {
	// C returns the channel the time is sent on.
	C() <-chan time.Time
	// Stop prevents the timer from firing; false if it fired or was stopped.
	Stop() bool
	// Reset makes the timer fire after d; false if it had fired or was stopped.
	Reset(d time.Duration) bool
}

// System is the machine's clock.
func System() Clock { return system{} }

type system struct{}

func (system) Now() time.Time { return time.Now() }

func (system) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

func (system) AfterFunc(d time.Duration, f func()) Timer { return systemTimer{time.AfterFunc(d, f)} }

type systemTimer struct{ *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.Timer.C }

// Manual is a clock that stands still until a test moves it. Its zero value is
// not ready; use [NewManual].
type Manual struct {
	mu     sync.Mutex
	now    time.Time
	timers map[*manualTimer]struct{}
	moved  chan struct{} // closed and replaced when a timer is added
}

// NewManual returns a manual clock that shows start.
func NewManual(start time.Time) *Manual {
	return &Manual{now: start, timers: map[*manualTimer]struct{}{}, moved: make(chan struct{})}
}

// Now returns the time the clock shows.
func (c *Manual) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// NewTimer returns a timer that fires when [Manual.Advance] passes d from now.
func (c *Manual) NewTimer(d time.Duration) Timer {
	return c.add(&manualTimer{clock: c, ch: make(chan time.Time, 1)}, d)
}

// AfterFunc runs f when [Manual.Advance] passes d from now.
func (c *Manual) AfterFunc(d time.Duration, f func()) Timer {
	return c.add(&manualTimer{clock: c, f: f}, d)
}

// Advance moves the hands forward by d and fires what falls due.
func (c *Manual) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for t := range c.timers {
		t.fireIfDue()
	}
}

// WaitForTimers blocks until at least n timers wait on the clock, so that a
// test advances only once the code under test has gone to sleep.
func (c *Manual) WaitForTimers(n int) {
	for {
		c.mu.Lock()
		waiting, moved := len(c.timers), c.moved
		c.mu.Unlock()
		if waiting >= n {
			return
		}
		<-moved
	}
}

func (c *Manual) add(t *manualTimer, d time.Duration) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.arm(d)
	return t
}

type manualTimer struct {
	clock *Manual
	due   time.Time
	ch    chan time.Time
	f     func()
}

func (t *manualTimer) C() <-chan time.Time { return t.ch }

func (t *manualTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	return t.disarm()
}

func (t *manualTimer) Reset(d time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.disarm()
	t.arm(d)
	return was
}

// arm, disarm and fireIfDue are called with the clock's lock held.
func (t *manualTimer) arm(d time.Duration) {
	t.due = t.clock.now.Add(d)
	t.clock.timers[t] = struct{}{}
	close(t.clock.moved)
	t.clock.moved = make(chan struct{})
	t.fireIfDue()
}

func (t *manualTimer) disarm() bool {
	_, armed := t.clock.timers[t]
	delete(t.clock.timers, t)
	if t.ch != nil {
		select { // as time.Timer since Go 1.23: no stale value after Stop
		case <-t.ch:
		default:
		}
	}
	return armed
}

func (t *manualTimer) fireIfDue() {
	if t.clock.now.Before(t.due) {
		return
	}
	delete(t.clock.timers, t)
	if t.f != nil {
		go t.f()
		return
	}
	t.ch <- t.clock.now
}
