package child

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// Drain returns once all that the child had printed when it was called has been
// delivered to Output, with a notice of what was dropped of it, or when ctx ends. What is printed meanwhile may be
// delivered, too. A line that the child has not ended is delivered as far as it has come; what follows is another one.
func (p *Process) Drain(ctx context.Context) error { return p.out.drain(ctx) }

func (o *output) drain(ctx context.Context) error {
	if o.deliver == nil {
		return nil
	}
	for _, r := range o.streams {
		if err := wait(ctx, r.emptied()); err != nil {
			return err
		}
	}
	reached := make(chan struct{})
	o.mu.Lock()
	over := o.over
	if !over {
		o.say(o.clock.Now()) // what was dropped belongs to what is drained
		o.append(Line{reached: reached})
	}
	o.mu.Unlock()
	if over {
		reached = o.done
	}
	return wait(ctx, reached)
}

func wait(ctx context.Context, reached <-chan struct{}) error {
	select {
	case <-reached:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A stream is what a child prints to. Who wants to know that it is empty has its
// reader, which alone can tell, wake up by a deadline that has passed.
type stream struct {
	*os.File

	mu     sync.Mutex
	asked  []chan struct{} // by who wants to know when nothing waits to be read
	woken  bool            // by a deadline that is not the end
	end    time.Time       // when reading ends; zero for not yet
	closed bool
}

// emptied returns what is closed once all that was printed has been read.
func (r *stream) emptied() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	empty := make(chan struct{})
	if r.closed {
		close(empty)
		return empty
	}
	r.asked, r.woken = append(r.asked, empty), true
	_ = r.SetReadDeadline(time.Unix(0, 1)) // it fails where it is closed, which its reader tells
	return empty
}

// goesOn reports whether an error of the reader was only somebody who asks: of
// nil nobody does.
func (r *stream) goesOn(err error) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !errors.Is(err, os.ErrDeadlineExceeded) || !r.woken {
		return false
	}
	r.woken = false
	return r.SetReadDeadline(r.end) == nil
}

// tellIfEmpty is for the reader, once it has passed on what it has read. Before it
// tells anybody it calls rest, which passes on what the reader holds back.
func (r *stream) tellIfEmpty(rest func()) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.asked) > 0 && waiting(r.File) == 0 {
		rest()
		r.tell()
	}
}

// tell is called with the lock held.
func (r *stream) tell() {
	for _, empty := range r.asked {
		close(empty)
	}
	r.asked = nil
}

// endBy ends reading at a time, whatever has not been read by then.
func (r *stream) endBy(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end = at
	if !r.woken {
		_ = r.SetReadDeadline(at) // it fails where the reader has closed it
	}
}

func (r *stream) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.tell()
	r.File.Close()
}
