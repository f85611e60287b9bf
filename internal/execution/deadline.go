package execution

import (
	"context"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// A deadline breaks work off when its time is over, which can stand still.
type deadline struct {
	clock  clock.Clock
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	timer clock.Timer // nil for work without a deadline
	end   time.Time
}

// within returns a context that ends with [ErrTimedOut] when the time is over; 0
// is never. Stop is to be called.
func within(ctx context.Context, c clock.Clock, left time.Duration) (context.Context, *deadline) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &deadline{clock: c, cancel: cancel}
	if left > 0 {
		d.end = c.Now().Add(left)
		d.timer = c.AfterFunc(left, func() { cancel(ErrTimedOut) })
	}
	return ctx, d
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
	}
	d.cancel(context.Canceled)
}

// suspend stops the time until resume is called, which may be once.
func (d *deadline) suspend() (resume func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer == nil || !d.timer.Stop() {
		return func() {}
	}
	left := max(d.end.Sub(d.clock.Now()), 1)
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.end = d.clock.Now().Add(left)
		d.timer.Reset(left)
	})
}
