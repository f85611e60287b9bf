package api

import (
	"bytes"
	"errors"
	"net/http"
	"sync"
	"time"
)

// Events are an answer that goes on: server-sent events, each written at once.
// The time that an answer may take is that of each of them.
type Events struct {
	x       *Exchange
	control *http.ResponseController

	mu      sync.Mutex
	writing bool
	over    bool // nothing more is to be written
}

// errBroken is that of events behind [Events.Break].
var errBroken = errors.New("api: the events are broken off")

// Events begins such an answer, with its headers. It must be ended.
func (x *Exchange) Events() *Events {
	x.started = true
	h := x.W.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // a proxy in front keeps nothing back
	e := &Events{x: x, control: http.NewResponseController(x.W)}
	_ = e.control.SetWriteDeadline(time.Now().Add(x.in.AnswerTimeout))
	x.W.WriteHeader(http.StatusOK)
	_ = e.control.Flush() // what cannot be written the first event finds out
	return e
}

// begin moves the deadline on, unless nothing more is to be written.
func (e *Events) begin() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return errBroken
	}
	e.writing = true
	_ = e.control.SetWriteDeadline(time.Now().Add(e.x.in.AnswerTimeout))
	return nil
}

func (e *Events) done() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.writing = false
}

// Break lets nothing more be written, and ends what is just being written to a
// client that does not read. It may be called by another goroutine, at any time.
func (e *Events) Break() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	if e.writing {
		_ = e.control.SetWriteDeadline(time.Unix(1, 0))
	}
}

// Send writes an event with a body in JSON; without an id, those who come back
// name the one before it.
func (e *Events) Send(name, id string, body any) error {
	b := buffers.Get().(*buffer)
	defer b.release()
	if err := b.encode(body); err != nil {
		return err
	}
	var head bytes.Buffer
	head.WriteString("event: " + name + "\n")
	if id != "" {
		head.WriteString("id: " + id + "\n")
	}
	head.WriteString("data: ")
	return e.write(head.Bytes(), bytes.TrimSuffix(b.data, []byte("\n")), []byte("\n\n"))
}

// Beat writes a sign of life, which clients pass over.
func (e *Events) Beat() error { return e.write([]byte(":\n\n")) }

func (e *Events) write(pieces ...[]byte) error {
	if err := e.begin(); err != nil {
		return err
	}
	defer e.done()
	for _, piece := range pieces {
		if _, err := e.x.W.Write(piece); err != nil {
			return err
		}
	}
	return e.control.Flush()
}

// End gives the connection back to what comes next on it.
func (e *Events) End() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	_ = e.control.SetWriteDeadline(time.Time{})
}
