package process

import "context"

// Queue waits for what others have: until Timeouts.Queue has passed, whose error
// is full, ctx ends, or the provider closes.
func (f *Fleet) Queue(ctx context.Context, full error, wait func(context.Context) error) error {
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if f.opts.Timeouts.Queue < 0 {
		cancel(full) // what is free is given all the same
		return wait(waiting)
	}
	defer context.AfterFunc(f.life, func() { cancel(ErrClosed) })()
	defer f.opts.Clock.AfterFunc(f.opts.Timeouts.Queue, func() { cancel(full) }).Stop()
	return wait(waiting)
}
