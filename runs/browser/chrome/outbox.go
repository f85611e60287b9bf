package chrome

import (
	"context"
	"sync"
)

// An outbox is what waits for a client to read it, in bytes up to a limit.
type outbox struct {
	limit int

	mu       sync.Mutex
	frames   [][]byte
	size     int
	finished bool
	wake     chan struct{} // of one place: something has changed
}

func newOutbox(limit int) *outbox { return &outbox{limit: limit, wake: make(chan struct{}, 1)} }

// push adds a frame; false when there is no room.
func (o *outbox) push(frame []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finished {
		return true // nobody reads any more
	}
	if o.size+len(frame) > o.limit && len(o.frames) > 0 {
		return false
	}
	o.frames = append(o.frames, frame)
	o.size += len(frame)
	o.signal()
	return true
}

// finish takes nothing more; what is there is still sent.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.finished = true
	o.signal()
}

// signal is called with the lock held.
func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) take() (frames [][]byte, finished bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	frames, o.frames = o.frames, nil
	return frames, o.finished
}

func (o *outbox) sent(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.size -= n
}

// drain hands the frames to write until ctx ends or the outbox is finished.
func (o *outbox) drain(ctx context.Context, write func(context.Context, []byte) error) error {
	for {
		frames, finished := o.take()
		for i, frame := range frames {
			frames[i] = nil
			if err := write(ctx, frame); err != nil {
				return err
			}
			o.sent(len(frame))
		}
		if finished {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-o.wake:
		}
	}
}
