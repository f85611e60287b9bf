// Package clock is the one source of time: the root hands a [Clock] down to
// everything that waits or stamps, so that a test can stand at the hands.
package clock

import "time"

// Clock tells the time and wakes who waits for it.
type Clock interface {
	// Now returns the current time, with a monotonic reading where there is one.
	Now() time.Time
	// NewTimer returns a timer that sends the time on its channel once after d.
	NewTimer(d time.Duration) Timer
	// AfterFunc runs f in its own goroutine after d. The timer's channel is nil.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is what [time.Timer] offers, behind an interface. It is an alias of one
// without a name, so that a clock of a host, who cannot name this package, is a
// Clock, too.
type Timer = interface {
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
