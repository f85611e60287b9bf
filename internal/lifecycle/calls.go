package lifecycle

import (
	"context"
	"sync"
)

// Calls lets calls in until it is closed, and waits for those that are under way.
type Calls struct {
	closing error
	ended   context.Context
	end     context.CancelCauseFunc

	mu     sync.Mutex
	closed bool
	under  sync.WaitGroup
}

// NewCalls returns one that is open. The error is what calls get once it closes.
func NewCalls(closing error) *Calls {
	c := &Calls{closing: closing}
	c.ended, c.end = context.WithCancelCause(context.Background())
	return c
}

// Enter counts a call in until leave is called. The context that it returns ends
// when Close cuts the call off.
func (c *Calls) Enter(ctx context.Context) (_ context.Context, leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, c.closing
	}
	c.under.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.ended, func() { cancel(c.closing) })
	return ctx, func() {
		stop()
		cancel(nil)
		c.under.Done()
	}, nil
}

// Close lets nobody in any more and waits for the calls under way, which it cuts
// off when ctx ends. It is idempotent.
func (c *Calls) Close(ctx context.Context) {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { c.end(c.closing) })
	defer stop()
	c.under.Wait()
}
