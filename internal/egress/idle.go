package egress

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// idleWatch calls end when it was not touched for so long. A touch is one
// atomic store, however often the timer must be set again.
type idleWatch struct {
	clock   clock.Clock
	timeout time.Duration
	end     func()
	last    atomic.Int64 // Unix ns

	mu      sync.Mutex
	timer   clock.Timer
	stopped bool
}

func newIdleWatch(c clock.Clock, timeout time.Duration, end func()) *idleWatch {
	w := &idleWatch{clock: c, timeout: timeout, end: end}
	w.touch()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = c.AfterFunc(timeout, w.check)
	return w
}

func (w *idleWatch) touch() { w.last.Store(w.clock.Now().UnixNano()) }

func (w *idleWatch) check() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	left := w.timeout - w.clock.Now().Sub(time.Unix(0, w.last.Load()))
	if left <= 0 {
		w.end()
		return
	}
	w.timer.Reset(left)
}

// stop ends the watch; end is not called after it returns.
func (w *idleWatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.timer.Stop()
}
