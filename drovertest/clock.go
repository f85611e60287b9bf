package drovertest

import (
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/clock"
)

// Clock is a clock for [drover.Options] that a test puts forward: what is due by
// then happens at once, without the wait. A session ends after its hour, what is
// kept for thirty days is deleted. It may be used by several Drovers at a time.
type Clock struct{ hands *clock.Manual }

// NewClock returns a clock that begins at start and goes on as the machine's
// does, so that browsers, which need their time, work.
func NewClock(start time.Time) *Clock { return &Clock{clock.NewRunning(start)} }

// NewStandingClock returns a clock that stands still at start, so that times can
// be compared. No browser gets anywhere on it: pages are given time to settle.
func NewStandingClock(start time.Time) *Clock { return &Clock{clock.NewManual(start)} }

// Advance puts the clock forward by d and wakes who waited for a time until then.
// What they do then goes on when Advance has returned: wait for what comes of it.
// A browser that is starting, a page that is loading or a model that is answering
// has taken d longer by it, which may be longer than it may.
func (c *Clock) Advance(d time.Duration) { c.hands.Advance(d) }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time { return c.hands.Now() }

// NewTimer returns a timer that sends the time once d from now has come.
func (c *Clock) NewTimer(d time.Duration) drover.Timer { return c.hands.NewTimer(d) }

// AfterFunc runs f in its own goroutine once d from now has come. The channel of
// the timer is nil.
func (c *Clock) AfterFunc(d time.Duration, f func()) drover.Timer { return c.hands.AfterFunc(d, f) }

var _ drover.Clock = (*Clock)(nil)
