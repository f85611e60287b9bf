package request

import (
	"io"
	"net/http"
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
	expired bool
}

func newTimedReader(w http.ResponseWriter, r io.Reader, l Limits) *timedReader {
	return &timedReader{
		r: r, control: http.NewResponseController(w), idle: l.IdleTimeout, end: time.Now().Add(l.TotalTimeout),
	}
}

func (t *timedReader) Read(p []byte) (int, error) {
	next := time.Now().Add(t.idle)
	if t.end.Before(next) {
		next = t.end
	}
	_ = t.control.SetReadDeadline(next)
	return t.r.Read(p)
}

// release takes the deadline back: the server goes on reading from the
// connection to notice that the caller has gone, and would take the deadline
// for that.
func (t *timedReader) release() {
	if !t.expired {
		_ = t.control.SetReadDeadline(time.Time{})
	}
}

// expire makes every further read fail at once, and for good.
func (t *timedReader) expire() {
	t.expired = true
	_ = t.control.SetReadDeadline(time.Unix(1, 0))
}
