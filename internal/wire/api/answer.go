package api

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Answer is what a call came to. The zero one says that the answer has been
// given already.
type Answer struct {
	Status int
	// Body is sent as JSON; nil sends none. An [Appender] writes its own JSON, a
	// [Streamer] sends itself.
	Body any
}

// OK is the answer 200.
func OK(body any) Answer { return Answer{http.StatusOK, body} }

// Created is the answer 201.
func Created(body any) Answer { return Answer{http.StatusCreated, body} }

// Accepted is the answer 202.
func Accepted(body any) Answer { return Answer{http.StatusAccepted, body} }

// NoContent is the answer 204.
func NoContent() Answer { return Answer{Status: http.StatusNoContent} }

// Appender is a body that writes its own JSON, because it is large.
type Appender interface{ AppendJSON(dst []byte) []byte }

// Streamer is a body that is too large to be held in memory, or no JSON. It
// sends itself, with its status and headers.
type Streamer interface{ Stream(x *Exchange) }

// buffers hold answers until their length is known: the clients of v1 cannot
// do with chunks on a connection that is used again.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

type buffer struct{ data []byte }

func (b *buffer) Write(p []byte) (int, error) {
	b.data = append(b.data, p...)
	return len(p), nil
}

// release keeps the memory for the next answer, unless it is a lot.
func (b *buffer) release() {
	const most = 1 << 20
	if cap(b.data) <= most {
		b.data = b.data[:0]
		buffers.Put(b)
	}
}

func (b *buffer) encode(body any) error {
	switch body := body.(type) {
	case nil:
		return nil
	case Appender:
		b.data = body.AppendJSON(b.data)
		return nil
	case json.RawMessage:
		b.data = append(b.data, body...)
		return nil
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(body)
}

// Write sends an answer.
func (x *Exchange) Write(a Answer) {
	if a.Status == 0 {
		return
	}
	if body, ok := a.Body.(Streamer); ok {
		body.Stream(x)
		return
	}
	b := buffers.Get().(*buffer)
	defer b.release()
	if err := b.encode(a.Body); err != nil {
		x.Fail(err)
		return
	}
	if a.Body != nil {
		x.W.Header().Set("Content-Type", "application/json; charset=utf-8")
		x.W.Header().Set("Content-Length", strconv.Itoa(len(b.data)))
	}
	x.Send(a.Status, b.data)
}

// Send writes with a deadline, which it takes back: the connection may go on
// to serve somebody else's handlers. What cannot be written nobody reads.
func (x *Exchange) Send(status int, data []byte) {
	x.started = true
	control := http.NewResponseController(x.W)
	_ = control.SetWriteDeadline(time.Now().Add(x.in.AnswerTimeout))
	x.W.WriteHeader(status)
	if len(data) > 0 && x.R.Method != http.MethodHead {
		_, _ = x.W.Write(data)
	}
	_ = control.Flush()
	_ = control.SetWriteDeadline(time.Time{})
}
