package api

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// Live is an answer that goes on: each piece is written at once. The time that an
// answer may take is that of each of them.
type Live struct {
	x       *Exchange
	control *http.ResponseController

	mu      sync.Mutex
	writing bool
	over    bool // nothing more is to be written
}

// errBroken is that of pieces behind [Live.Break].
var errBroken = errors.New("api: the answer is broken off")

// LiveText begins such an answer in plain text that others have made; name is what it
// is to be saved under, "" for nothing. It must be ended.
func (x *Exchange) LiveText(name string) *Live {
	x.Content(name).guard()
	return x.live("text/plain; charset=utf-8")
}

// live begins an answer, with its headers.
func (x *Exchange) live(mediaType string) *Live {
	x.started = true
	h := x.W.Header()
	h.Set("Content-Type", mediaType)
	h.Set("X-Accel-Buffering", "no") // a proxy in front keeps nothing back
	l := &Live{x: x, control: http.NewResponseController(x.W)}
	_ = l.control.SetWriteDeadline(time.Now().Add(x.in.AnswerTimeout))
	x.W.WriteHeader(http.StatusOK)
	_ = l.control.Flush() // what cannot be written the first piece finds out
	return l
}

// begin moves the deadline on, unless nothing more is to be written.
func (l *Live) begin() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return errBroken
	}
	l.writing = true
	_ = l.control.SetWriteDeadline(time.Now().Add(l.x.in.AnswerTimeout))
	return nil
}

func (l *Live) done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writing = false
}

// Break lets nothing more be written, and ends what is just being written to a
// client that does not read. It may be called by another goroutine, at any time.
func (l *Live) Break() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	if l.writing {
		_ = l.control.SetWriteDeadline(time.Unix(1, 0))
	}
}

// Send writes a piece, in parts.
func (l *Live) Send(parts ...[]byte) error {
	if err := l.begin(); err != nil {
		return err
	}
	defer l.done()
	for _, p := range parts {
		if _, err := l.x.W.Write(p); err != nil {
			return err
		}
	}
	return l.control.Flush()
}

// End gives the connection back to what comes next on it.
func (l *Live) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	_ = l.control.SetWriteDeadline(time.Time{})
}
