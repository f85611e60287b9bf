package drover

import "time"

// Clock tells the time and wakes who waits for it. Package drovertest has one
// that a test moves.
type Clock interface {
	// Now returns the current time, with a monotonic reading where there is one.
	Now() time.Time
	// NewTimer returns a timer that sends the time on its channel once after d.
	NewTimer(d time.Duration) Timer
	// AfterFunc runs f in its own goroutine after d. The timer's channel is nil.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is what [time.Timer] offers, as an interface: C is the channel that the
// time is sent on; Stop and Reset report whether the timer was still to fire.
type Timer = interface {
	C() <-chan time.Time
	Stop() bool
	Reset(d time.Duration) bool
}
