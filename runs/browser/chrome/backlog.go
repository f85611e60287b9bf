package chrome

import "sync"

// A backlog is what waits in outboxes together, in bytes. When it is more than
// it may be, the fullest of them overflows, so that who reads is not made to
// pay for who does not.
type backlog struct {
	most int

	mu    sync.Mutex
	total int
	boxes map[*outbox]int
}

func newBacklog(most int) *backlog { return &backlog{most: most, boxes: map[*outbox]int{}} }

// add counts bytes in, or out. It returns the outbox that has to overflow for
// them, which is not counted any more; nil for none.
func (b *backlog) add(o *outbox, n int) (over *outbox) {
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
func (b *backlog) leave(o *outbox) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(o)
}

// drop is called with the lock held.
func (b *backlog) drop(o *outbox) {
	b.total -= b.boxes[o]
	delete(b.boxes, o)
}

// unread is how much waits.
func (b *backlog) unread() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.total
}
