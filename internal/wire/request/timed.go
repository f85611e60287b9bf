package request

import (
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

// timedReader moves the read deadline of the connection on before each read.
// A server that has none to set (a recorder in a test) is read without.
//
// Deadlines belong to the operating system's clock, which is why this is one
// of the few places that ask it.
type timedReader struct {
	r       io.Reader
	control *http.ResponseController
	idle    time.Duration
	end     time.Time

	mu      sync.Mutex // of the deadline: what has expired stays so
	expired bool
}

func newTimedReader(w http.ResponseWriter, r io.Reader, l Limits) *timedReader {
	return &timedReader{
		r: r, control: http.NewResponseController(w), idle: l.IdleTimeout, end: time.Now().Add(l.TotalTimeout),
	}
}

func (t *timedReader) Read(p []byte) (int, error) {
	if !t.moveOn() {
		return 0, os.ErrDeadlineExceeded
	}
	return t.r.Read(p)
}

func (t *timedReader) moveOn() bool {
	next := time.Now().Add(t.idle)
	if t.end.Before(next) {
		next = t.end
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.expired {
		_ = t.control.SetReadDeadline(next)
	}
	return !t.expired
}

// release takes the deadline back: the server goes on reading from the
// connection to notice that the caller has gone, and would take the deadline
// for that.
func (t *timedReader) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.expired {
		_ = t.control.SetReadDeadline(time.Time{})
	}
}

// isExpired reports whether expire was called.
func (t *timedReader) isExpired() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.expired
}

// expire makes every further read fail at once, and for good, and one that waits.
func (t *timedReader) expire() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expired = true
	_ = t.control.SetReadDeadline(time.Unix(1, 0))
}
