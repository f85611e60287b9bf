package mux

import (
	"context"
	"sync"

	"github.com/drover-go/drover/internal/lifecycle"
)

// An Outbox is what waits for a client to read it, in bytes up to a limit.
type Outbox struct {
	limit int
	of    *Backlog // nil where this is the only limit
	over  func()   // is told, when there is too much in it for the others; must not wait

	mu       sync.Mutex
	frames   [][]byte
	size     int
	finished bool
	wake     chan struct{} // of one place: something has changed
}

// NewOutbox returns an empty one that takes so many bytes.
func NewOutbox(limit int) *Outbox { return &Outbox{limit: limit, wake: make(chan struct{}, 1)} }

// Push adds a frame; false when there is no room.
func (o *Outbox) Push(frame []byte) bool {
	full, ok := o.put(frame)
	if full != nil {
		full.over()
		full.discard()
	}
	return ok
}

// put is Push that leaves it to the caller to make another overflow.
func (o *Outbox) put(frame []byte) (full *Outbox, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finished {
		return nil, true // nobody reads any more
	}
	if o.size+len(frame) > o.limit && len(o.frames) > 0 {
		return nil, false
	}
	o.frames = append(o.frames, frame)
	o.size += len(frame)
	lifecycle.Poke(o.wake)
	return o.of.add(o, len(frame)), true
}

// Finish takes nothing more; what is there is still sent.
func (o *Outbox) Finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.finished = true
	lifecycle.Poke(o.wake)
}

// discard takes nothing more, and forgets what is there.
func (o *Outbox) discard() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.of.leave(o)
	o.finished, o.frames, o.size = true, nil, 0
	lifecycle.Poke(o.wake)
}

func (o *Outbox) take() (frames [][]byte, finished bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	frames, o.frames = o.frames, nil
	return frames, o.finished
}

func (o *Outbox) sent(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.size > 0 { // what has been discarded counts no more
		o.size -= n
		o.of.add(o, -n)
	}
}

// Drain hands the frames to write until ctx ends or the outbox is finished.
func (o *Outbox) Drain(ctx context.Context, write func(context.Context, []byte) error) error {
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
