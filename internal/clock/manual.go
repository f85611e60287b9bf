package clock

import (
	"sync"
	"time"
)

// Manual is a clock in the hands of a test: Advance puts it forward. In between it
// stands still, or runs. Its zero value is not ready; use [NewManual] or
// [NewRunning].
type Manual struct {
	running bool

	mu     sync.Mutex
	at     time.Time     // where it stands
	ahead  time.Duration // of the machine's, where it runs
	timers map[*manualTimer]struct{}
	moved  chan struct{} // closed and replaced when a timer is added
}

// NewManual returns a clock that stands still at start.
func NewManual(start time.Time) *Manual {
	return &Manual{at: start, timers: map[*manualTimer]struct{}{}, moved: make(chan struct{})}
}

// NewRunning returns a clock that begins at start and runs as fast as the
// machine's, for tests with parts that wait on it and cannot be waited for, such
// as a browser.
func NewRunning(start time.Time) *Manual {
	c := NewManual(start)
	c.running, c.ahead = true, time.Until(start)
	return c
}

// Now returns the time the clock shows.
func (c *Manual) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// now is called with the lock held, as are all functions of timers in lower case.
func (c *Manual) now() time.Time {
	if c.running {
		return time.Now().Add(c.ahead)
	}
	return c.at
}

// NewTimer returns a timer that fires when d from now has come.
func (c *Manual) NewTimer(d time.Duration) Timer {
	return c.add(&manualTimer{clock: c, ch: make(chan time.Time, 1)}, d)
}

// AfterFunc runs f when d from now has come.
func (c *Manual) AfterFunc(d time.Duration, f func()) Timer {
	return c.add(&manualTimer{clock: c, f: f}, d)
}

// Advance moves the hands forward by d and fires what falls due.
func (c *Manual) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.ahead = c.at.Add(d), c.ahead+d
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
	wake  *time.Timer // of a clock that runs
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

// awake is called when the machine's clock has come to where the timer was due.
func (t *manualTimer) awake() {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	if _, armed := t.clock.timers[t]; armed { // else it was stopped, or Advance was faster
		t.fireIfDue()
	}
}

func (t *manualTimer) arm(d time.Duration) {
	t.due = t.clock.now().Add(d)
	t.clock.timers[t] = struct{}{}
	close(t.clock.moved)
	t.clock.moved = make(chan struct{})
	t.fireIfDue()
}

func (t *manualTimer) disarm() bool {
	armed := t.forget()
	if t.ch != nil {
		select { // as time.Timer since Go 1.23: no stale value after Stop
		case <-t.ch:
		default:
		}
	}
	return armed
}

// forget takes the timer from those that wait.
func (t *manualTimer) forget() bool {
	_, armed := t.clock.timers[t]
	delete(t.clock.timers, t)
	if t.wake != nil {
		t.wake.Stop()
	}
	return armed
}

func (t *manualTimer) fireIfDue() {
	now := t.clock.now()
	if now.Before(t.due) {
		t.sleep(t.due.Sub(now))
		return
	}
	t.forget()
	if t.f != nil {
		go t.f()
		return
	}
	t.ch <- now
}

// sleep has the timer looked at again when the clock has run for d.
func (t *manualTimer) sleep(d time.Duration) {
	switch {
	case !t.clock.running:
	case t.wake == nil:
		t.wake = time.AfterFunc(d, t.awake)
	default:
		t.wake.Reset(d)
	}
}
