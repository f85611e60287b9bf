package mux

import "sync"

// A Backlog is what waits in outboxes together, in bytes. When it is more than
// it may be, the fullest of them overflows, so that who reads is not made to
// pay for who does not.
type Backlog struct {
	most int

	mu    sync.Mutex
	total int
	boxes map[*Outbox]int
}

// NewBacklog returns an empty one.
func NewBacklog(most int) *Backlog { return &Backlog{most: most, boxes: map[*Outbox]int{}} }

// add counts bytes in, or out. It returns the outbox that has to overflow for
// them, which is not counted any more; nil for none.
func (b *Backlog) add(o *Outbox, n int) (over *Outbox) {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n = max(n, -b.boxes[o]); n == 0 { // it has overflowed already
		return nil
	}
	b.total += n
	b.boxes[o] += n
	if b.total <= b.most || n < 0 {
		return nil
	}
	for box, size := range b.boxes {
		if over == nil || size > b.boxes[over] {
			over = box
		}
	}
	b.drop(over)
	return over
}

// leave counts out what an outbox has.
func (b *Backlog) leave(o *Outbox) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(o)
}

// drop is called with the lock held.
func (b *Backlog) drop(o *Outbox) {
	b.total -= b.boxes[o]
	delete(b.boxes, o)
}

// Unread is how much waits.
func (b *Backlog) Unread() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.total
}
